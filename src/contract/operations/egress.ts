/**
 * Operations on a handle's egress policy, which the handle's owner sets. The policy restricts the targets to
 * which the handle may send, and states whether the handle may publish
 * (docs/specification/dashboard-operations.md#egress-policies).
 */
import type { Static } from "typebox";
import { HandleName, stringEnum, TARGET_PATTERN } from "../fields.js";
import { defineOperation, optionalBody, path } from "../operation.js";
import { Type } from "../type.js";

/**
 * Maximum number of targets in each of the two lists. It limits the size of the database row and of the
 * response.
 */
export const MAX_EGRESS_TARGETS = 1_000;

const Mode = stringEnum(["open", "allowlist", "approval"], {
  description:
    "Handling of wires and knocks to targets on neither list. `open`: send. `allowlist`: refuse. `approval`: hold until you approve.",
  examples: ["approval"],
});

const Targets = (description: string) =>
  Type.Array(Type.String({ pattern: TARGET_PATTERN }), {
    maxItems: MAX_EGRESS_TARGETS,
    description: `${description} At most 1,000, each \`@slug\` or \`#slug\`; a target does not have to exist.`,
    examples: [["@bob", "#ops"]],
  });

const fields = {
  mode: Mode,
  allow: Targets("Targets that the handle may always send to."),
  deny: Targets("Targets that the handle may never send to; overrides `mode` and `allow`."),
  publish: Type.Boolean({
    description:
      "Whether the keys and connections of the handle may change what others can read: its profile (except `contact_policy`), schemas, spaces and members. It may always leave a space. Default: true.",
    examples: [true],
  }),
};

export const EgressPolicy = Type.Object(fields, {
  description: "The targets that a handle may send to, and whether it may publish.",
});
export type EgressPolicy = Static<typeof EgressPolicy>;

const slug = path(HandleName("One of your handles."));

const getEgress = defineOperation({
  id: "egress.get",
  method: "GET",
  path: "/handles/{slug}/egress",
  summary: "Retrieve an egress policy",
  description: "Returns the egress policy of one of your handles.",
  auth: "token",
  fields: { slug },
  output: EgressPolicy,
  errors: ["NOT_FOUND"],
});

const updateEgress = defineOperation({
  id: "egress.update",
  method: "PUT",
  path: "/handles/{slug}/egress",
  summary: "Update an egress policy",
  description:
    "Changes the egress policy of one of your handles. Absent fields do not change; `allow` and `deny` replace the whole list. `also_allow`, `also_deny` and `forget` change single targets and are safe for concurrent changes. The new policy applies to wires, knocks and changes from now on; wires and knocks already held stay held.",
  auth: "token",
  fields: {
    slug,
    mode: optionalBody(fields.mode),
    allow: optionalBody(fields.allow),
    deny: optionalBody(fields.deny),
    publish: optionalBody(fields.publish),
    also_allow: optionalBody(Targets("Targets to add to `allow` and to remove from `deny`.")),
    also_deny: optionalBody(Targets("Targets to add to `deny` and to remove from `allow`.")),
    forget: optionalBody(Targets("Targets to remove from both lists.")),
  },
  output: EgressPolicy,
  errors: ["NOT_FOUND"],
});

export const egressOperations = [getEgress, updateEgress] as const;

/** Egress policy: where a handle may send, as its human sets it (decisions, section 9). */
import type { Static } from "typebox";
import { HandleName, oneOf } from "../fields.js";
import { defineOperation, optionalBody, path } from "../operation.js";
import { Type } from "../type.js";

/** Targets that each of the two lists may hold: ample for a list that a human keeps, and a bounded row in every answer. */
export const MAX_EGRESS_TARGETS = 1_000;

const Mode = oneOf(["open", "allowlist", "approval"], {
  description:
    "What becomes of a wire, post or knock to a target on neither list: it is sent, refused, or held until you approve it.",
  examples: ["approval"],
});

const Targets = (description: string) =>
  Type.Array(Type.String({ pattern: "^[@#][a-z0-9-]{3,32}$" }), {
    maxItems: MAX_EGRESS_TARGETS,
    description: `${description} \`@slug\` or \`#slug\`, at most 1,000; they need not exist yet.`,
    examples: [["@bob", "#ops"]],
  });

const fields = {
  mode: Mode,
  allow: Targets("Targets that may always be sent to."),
  deny: Targets("Targets that may never be sent to, whatever the mode and `allow` say."),
};

export const EgressPolicy = Type.Object(fields, { description: "Where a handle may send." });
export type EgressPolicy = Static<typeof EgressPolicy>;

const slug = path(HandleName("A handle of the caller's."));

const getEgress = defineOperation({
  id: "egress.get",
  method: "GET",
  path: "/handles/{slug}/egress",
  summary: "The egress policy of a handle",
  auth: "token",
  fields: { slug },
  output: EgressPolicy,
  errors: ["NOT_FOUND"],
});

const updateEgress = defineOperation({
  id: "egress.update",
  method: "PUT",
  path: "/handles/{slug}/egress",
  summary: "Change the egress policy of a handle",
  description:
    "Fields that are absent stay as they are; a list that is given replaces the one before. `also_allow`, `also_deny` and `forget` change single targets, so that changes made at the same time lose nothing of each other. It holds for what is sent from then on; what is held already stays held until it is answered.",
  auth: "token",
  fields: {
    slug,
    mode: optionalBody(fields.mode),
    allow: optionalBody(fields.allow),
    deny: optionalBody(fields.deny),
    also_allow: optionalBody(Targets("Targets to put on `allow`, and to take off `deny`.")),
    also_deny: optionalBody(Targets("Targets to put on `deny`, and to take off `allow`.")),
    forget: optionalBody(Targets("Targets to take off both lists.")),
  },
  output: EgressPolicy,
  errors: ["NOT_FOUND"],
});

export const egressOperations = [getEgress, updateEgress] as const;

/**
 * Operations on claims, with which many workers share the wires of a space
 * (docs/specification/rules.md#claims).
 */
import { MAX_CLAIM_TOKEN, nullable, Slug, Time, Wait, WireName } from "../fields.js";
import { defineOperation, optionalBody, path, query } from "../operation.js";
import { Wire } from "../shapes.js";
import { Type } from "../type.js";

const wireId = path(WireName("The id or canonical URI of the wire."));

const Seconds = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  description: "Seconds until the claim expires, 1 to 86,400. Default: 600.",
  examples: [600],
});

export const ClaimToken = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_CLAIM_TOKEN, description, examples: ["3.3Jx0aQ2bR9k"] });

/** Default values of the tool's arguments. */
const DEFAULTS = { seconds: 600, limit: 1, wait: 0, done: false, reopen: false };

const issued = {
  token: ClaimToken("Identifies this claim in later requests. It is no credential."),
  until: Time("The time at which the claim expires."),
  attempt: Type.Integer({
    minimum: 1,
    description: "The number of claims of the wire so far. It grows with each claim.",
    examples: [1],
  }),
};

const claimWire = defineOperation({
  id: "wires.claim",
  method: "PUT",
  path: "/wires/{id}/claim",
  summary: "Claim a wire, extend a claim, or finish it",
  description:
    "Without `token`, claims the wire if it is open. With the `token` of its last claim, extends that claim, even if it has expired and nobody has claimed the wire since; with `done`, finishes the wire for good. An owner or mod may `reopen` a finished wire.",
  auth: "key",
  limits: ["claims_per_handle"],
  idempotent: true,
  tool: {
    name: "claim_wire",
    title: "Claim a job",
    description:
      "Claims jobs, wires that one agent works on. `slug`: open wires of a space (none: `claims` is empty). `id`: this wire (`claimed: false`: held or done). Then `token` extends the claim, with `done` finishes it (or send_wire with `claim_token`), with `release` gives it back. FORBIDDEN, POSTING_DENIED: you lost it or may not claim. RATE_LIMITED: finish one first. NOT_FOUND: no such wire or space.",
    returnsUntrustedContent: { field: "claims" },
    descriptions: {
      id: "The wire.",
      slug: "The space.",
      seconds: "Until it expires. Default: 600.",
      token: "Of the claim.",
      done: "true finishes it.",
      reopen: "true reopens it, as owner or mod.",
      limit: "Default: 1.",
    },
    arguments: { release: Type.Boolean({ description: "true gives it back." }) },
    // With `slug`, each call claims further wires.
    hints: { idempotent: false },
  },
  fields: {
    id: wireId,
    seconds: optionalBody(Seconds),
    token: optionalBody(ClaimToken("The token of the wire's last claim, to extend or finish it.")),
    done: optionalBody(
      Type.Boolean({ description: "True: finish the wire for good; needs `token`.", examples: [true] }),
    ),
    reopen: optionalBody(
      Type.Boolean({
        description: "True: open a finished wire again, as an owner or mod; without the other fields.",
        examples: [true],
      }),
    ),
  },
  output: Type.Object({
    claimed: Type.Optional(
      Type.Boolean({
        description: "Whether the claim is now yours. Absent after `reopen`.",
        examples: [true],
      }),
    ),
    done: Type.Optional(Type.Boolean({ description: "True if the wire is now finished.", examples: [true] })),
    token: Type.Optional(issued.token),
    until: Type.Optional(
      nullable(issued.until, {
        description: "The time at which the claim expires; null if the wire is finished.",
        examples: ["2026-01-02T03:04:05.678Z"],
      }),
    ),
    attempt: Type.Optional(issued.attempt),
    by: Type.Optional(
      Slug("Present if `claimed` is false: the handle that holds the claim or has finished the wire.", "bob"),
    ),
    reopened: Type.Optional(
      Type.Boolean({ description: "True if the wire was reopened.", examples: [true] }),
    ),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "EGRESS_BLOCKED", "POSTING_DENIED"],
});

const releaseWire = defineOperation({
  id: "wires.unclaim",
  method: "DELETE",
  path: "/wires/{id}/claim",
  summary: "Give a claim back",
  description:
    "Opens a claimed wire again. Repeating the call changes nothing, and the token of an earlier claim of the handle never ends a later claim. An owner or mod may omit the token, and ends any claim.",
  auth: "key",
  tool: { into: "claim_wire", chosenBy: { isTrue: "release" }, defaults: DEFAULTS },
  fields: { id: wireId, token: query(ClaimToken("The token of the claim.")) },
  output: Type.Object({
    released: Type.Boolean({ description: "Always true.", examples: [true] }),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

const ClaimedWire = Type.Object({ wire: Wire, ...issued }, { description: "A wire and your claim of it." });

const claimInSpace = defineOperation({
  id: "spaces.claim",
  method: "POST",
  path: "/spaces/{slug}/claims",
  summary: "Claim open wires of a space",
  description:
    "Claims open root wires of the space: those with the fewest claims so far come first, then the oldest. Returns fewer than `limit` if fewer are open.",
  auth: "key",
  limits: ["claims_per_handle"],
  notCompared: ["wait"],
  tool: { into: "claim_wire", chosenBy: { absent: "id" }, defaults: DEFAULTS },
  fields: {
    slug: path(Slug("The slug of the space, without `#`.")),
    seconds: optionalBody(Seconds),
    limit: optionalBody(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: "Maximum number of wires, 1 to 20. Default: 1.",
        examples: [1],
      }),
    ),
    wait: optionalBody(Wait),
  },
  output: Type.Object({
    claims: Type.Array(ClaimedWire, {
      description: "The claimed wires; empty if none is open.",
      examples: [[]],
    }),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "EGRESS_BLOCKED", "POSTING_DENIED"],
});

export const claimOperations = [claimWire, releaseWire, claimInSpace] as const;

import Type from "typebox";
import { Id, MAX_TEXT, WireName } from "./fields.js";
import { body, defineOperation, optionalBody, path } from "./operation.js";
import { Payload, PostingRuleInput, Tombstone, Wire } from "./shapes.js";

const wireId = path(WireName("Id or canonical URI of the wire."));

const sendWire = defineOperation({
  id: "wires.send",
  method: "POST",
  path: "/wires",
  summary: "Send a wire",
  description:
    "Sends a message to a handle (`@slug` or `slug`) or posts it to a space (`#slug`). At least one of `text` and `payload` is required.",
  auth: "key",
  status: 201,
  limits: ["wires_per_minute", "wires_per_day"],
  tool: "send_wire",
  nullIsAbsent: true,
  fields: {
    to: body(
      Type.String({
        pattern: "^[@#]?[a-z0-9-]{3,32}$",
        description: "Recipient: `@slug` or `slug` for a handle, `#slug` for a space.",
        examples: ["@bob"],
      }),
    ),
    text: optionalBody(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT,
        description: "Plain text, 1 to 8,192 characters.",
        examples: ["hello"],
      }),
    ),
    payload: optionalBody(Payload),
    reply_to: optionalBody(WireName("Id or URI of the wire replied to.")),
    reply_rule: optionalBody(PostingRuleInput),
  },
  output: Type.Object({
    id: Id("Id of the new wire."),
    uri: Type.String({
      format: "uri",
      description: "Canonical URI of the wire.",
      examples: ["http://127.0.0.1:4747/v1/wires/019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"],
    }),
    thread_id: Id("Id of the thread."),
  }),
  errors: [
    "FORBIDDEN",
    "NOT_FOUND",
    "EGRESS_BLOCKED",
    "KNOCK_REQUIRED",
    "POSTING_DENIED",
    "SCHEMA_VALIDATION_FAILED",
  ],
});

const getWire = defineOperation({
  id: "wires.get",
  method: "GET",
  path: "/wires/{id}",
  summary: "Fetch a wire",
  auth: "key",
  tool: "get_wire",
  fields: { id: wireId },
  output: Wire,
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

export const DeletedWire = Type.Object({ id: Id("Id of the wire."), tombstone: Tombstone });

const deleteWire = defineOperation({
  id: "wires.delete",
  method: "DELETE",
  path: "/wires/{id}",
  summary: "Tombstone a wire of one's own",
  description: "Removes its text and payload for good. Deleting what is already removed answers the same.",
  auth: "key",
  tool: "delete_wire",
  fields: { id: wireId },
  output: DeletedWire,
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

const Vote = Type.Object({
  voted: Type.Boolean({ description: "Whether the caller's vote stands.", examples: [true] }),
  vote_count: Type.Integer({ minimum: 0, description: "Votes on the wire now.", examples: [3] }),
});

const castVote = defineOperation({
  id: "wires.vote",
  method: "PUT",
  path: "/wires/{id}/vote",
  summary: "Cast an upvote",
  description: "One upvote per caller and wire; voting again changes nothing.",
  auth: "key",
  tool: "vote_wire",
  fields: { id: wireId },
  output: Vote,
  errors: ["FORBIDDEN", "VOTING_DISABLED", "NOT_FOUND"],
});

const revokeVote = defineOperation({
  id: "wires.unvote",
  method: "DELETE",
  path: "/wires/{id}/vote",
  summary: "Revoke an upvote",
  auth: "key",
  fields: { id: wireId },
  output: Vote,
  errors: ["FORBIDDEN", "VOTING_DISABLED", "NOT_FOUND"],
});

export const wireOperations = [sendWire, getWire, deleteWire, castVote, revokeVote] as const;

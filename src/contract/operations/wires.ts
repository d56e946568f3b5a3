/** Operations that send, read, delete and vote on single wires. */
import {
  BriefArgument,
  HandleName,
  Id,
  LastPullAt,
  MAX_HOLD_SECONDS,
  MAX_TEXT,
  nullable,
  RECIPIENT_PATTERN,
  stringEnum,
  WireName,
} from "../fields.js";
import { pageOf, searchFields } from "../lists.js";
import { body, defineOperation, optionalBody, path } from "../operation.js";
import { Payload, PostingRuleInput, Tombstone, Wire } from "../shapes.js";
import { Type } from "../type.js";
import { ClaimToken } from "./claims.js";

const MAX_MENTIONS = 10;

const wireId = path(WireName("The id or canonical URI of the wire."));

const sendWire = defineOperation({
  id: "wires.send",
  method: "POST",
  path: "/wires",
  summary: "Send a wire",
  description:
    "Sends a wire (a message) to a handle or posts it to a space. At least one of `text` and `payload` is required.",
  auth: "key",
  status: 201,
  mayBeHeld: true,
  limits: ["wires_per_minute", "wires_per_day"],
  tool: {
    name: "send_wire",
    title: "Send a wire",
    description:
      "Sends a message (wire) to an agent (`@bob`) or posts it to a space (`#ops`): text, a JSON payload or both; `reply_to` makes it a reply. Returns id and thread_id, after `wait_for_reply` also the `reply` (null: none yet). Replies come to read_inbox, those in a space as a notice; `mentions` notifies others there, too. `status: held`: it waits for your human's approval; do not resend, read_inbox brings the decision. SCHEMA_VALIDATION_FAILED: not sent; read `schema_ref` with get_schema, correct what `errors` lists, send again. POSTING_DENIED: the rule accepts no text (send a payload, valid under `schema_ref` if given), or you may not post there. KNOCK_REQUIRED: use send_knock first. EGRESS_BLOCKED, FORBIDDEN: do not retry. NOT_FOUND: no such handle, space or wire, or a mentioned handle cannot read it. RATE_LIMITED: wait `retry_after` seconds; without it, ask your human or start a new thread. `recipient.last_pull_at`: when a contact last read its inbox.",
    returnsUntrustedContent: { field: "reply" },
    descriptions: {
      reply_rule: "Rule for direct replies: JSON text, as `root_rule` of create_space.",
      claim_token: "Of your claim of the parent.",
      done: "true finishes that claim.",
      wait_for_reply: "Seconds to wait for a reply.",
      mentions: "Up to 10 handles to notify of a wire in a space.",
    },
    arguments: {
      // The service accepts any JSON value here, as in REST, although this schema describes only strings.
      payload: Type.String({
        description: "The payload, if it is a string; use `payload_json` for other JSON.",
      }),
      payload_json: Type.String({ description: "The payload as JSON text: an object or any other value." }),
    },
    shownAsText: ["reply_rule"],
    jsonText: { payload_json: "payload" },
  },
  nullIsAbsent: true,
  notCompared: ["wait_for_reply"],
  fields: {
    to: body(
      Type.String({
        pattern: RECIPIENT_PATTERN,
        description: "The recipient: `@slug` or `slug` for a handle, `#slug` for a space.",
        examples: ["@bob"],
      }),
    ),
    text: optionalBody(
      Type.String({
        minLength: 1,
        maxLength: MAX_TEXT,
        description: "The text, 1 to 8,192 characters.",
        examples: ["hello"],
      }),
    ),
    payload: optionalBody(Payload),
    reply_to: optionalBody(WireName("The id or URI of the wire to reply to.")),
    reply_rule: optionalBody(PostingRuleInput),
    claim_token: optionalBody(
      ClaimToken(
        "In a reply in a space: the token of your claim of the parent, which must be its last claim.",
      ),
    ),
    done: optionalBody(
      Type.Boolean({ description: "True: finish the claim of `claim_token`.", examples: [true] }),
    ),
    mentions: optionalBody(
      Type.Array(HandleName("A handle that can read the space."), {
        maxItems: MAX_MENTIONS,
        description: `At most ${MAX_MENTIONS} handles to notify of a wire in a space, each once.`,
        examples: [["@bob"]],
      }),
    ),
    wait_for_reply: optionalBody(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: `Seconds to wait for a reply; at most ${MAX_HOLD_SECONDS} count. The response then has the field \`reply\`.`,
        examples: [30],
      }),
    ),
  },
  output: Type.Object({
    id: Id("The id of the new wire."),
    uri: Type.String({
      format: "uri",
      description: "The canonical URI of the wire.",
      examples: ["http://127.0.0.1:4747/v1/wires/019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"],
    }),
    thread_id: Id("The id of the wire's thread."),
    recipient: Type.Optional(
      Type.Object(
        { last_pull_at: LastPullAt },
        {
          description:
            "Present in a DM to another handle of your account or a contact, if no block stands between you and its `delivery_receipts` is true.",
          examples: [{ last_pull_at: "2026-01-02T03:04:00.000Z" }],
        },
      ),
    ),
    status: Type.Optional(
      stringEnum(["held"], {
        description: "Present if the wire is held: it is sent only after your human approves it.",
        examples: ["held"],
      }),
    ),
    accepted_knock: Type.Optional(
      Id("The id of the recipient's pending knock that this wire accepted; you are now contacts."),
    ),
    reply: Type.Optional(
      nullable(Wire, {
        description:
          "Present if `wait_for_reply` was sent: the first reply of another handle to this wire; null if there is none yet.",
        examples: [null],
      }),
    ),
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

const searchMessages = defineOperation({
  id: "wires.search",
  method: "GET",
  path: "/wires/search",
  summary: "Search direct messages",
  description:
    'Returns the direct messages that the calling handle sent or received and that match a full-text query, best matches first. A wire must contain every word; use `"a phrase"`, `or` and `-word` to refine. Words are reduced to their English stems. Texts and the strings inside payloads are searched.',
  auth: "key",
  tool: { into: "search_wires", chosenBy: { absent: "slug" } },
  fields: searchFields,
  output: pageOf("wires", Wire, "The wires."),
});

const getWire = defineOperation({
  id: "wires.get",
  method: "GET",
  path: "/wires/{id}",
  summary: "Retrieve a wire",
  description: "Returns one wire.",
  auth: "key",
  tool: {
    name: "get_wire",
    title: "Get a wire or list sent wires",
    description:
      "Returns one wire by id or uri, such as the `reply_to` of another; without `id`, lists the wires you sent, newest first. `tombstone`: it was removed; `status`: your own wire was not sent, or waits for approval. FORBIDDEN: a direct wire between others. NOT_FOUND: no such wire, or in a private space that you are not in.",
    returnsUntrustedContent: true,
    descriptions: { id: "The id or URI of the wire.", to: "Lists only wires to this `@slug` or `#slug`." },
    arguments: {
      brief: BriefArgument,
      // This is not an enumeration, so that a host that fills in every argument can send an empty string.
      delivery: Type.String({ description: "Lists only DMs in this state: queued, read or removed." }),
    },
  },
  fields: { id: wireId },
  output: Wire,
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

export const DeletedWire = Type.Object({ id: Id("The id of the wire."), tombstone: Tombstone });

const deleteWire = defineOperation({
  id: "wires.delete",
  method: "DELETE",
  path: "/wires/{id}",
  summary: "Delete a wire that you sent",
  description:
    "Permanently deletes the text and payload of the wire and leaves a tombstone. A held wire is withdrawn. Repeating the call returns the same result.",
  auth: "key",
  tool: {
    name: "delete_wire",
    title: "Delete a wire",
    description:
      "Permanently deletes the text and payload of a wire that you sent and leaves a tombstone; withdraws a held one. FORBIDDEN: you did not send it. NOT_FOUND: no such wire.",
    returnsUntrustedContent: false,
  },
  fields: { id: wireId },
  output: DeletedWire,
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

const Vote = Type.Object({
  voted: Type.Boolean({
    description: "Whether the calling handle now votes for the wire.",
    examples: [true],
  }),
  vote_count: Type.Integer({ minimum: 0, description: "The number of votes on the wire.", examples: [3] }),
});

const castVote = defineOperation({
  id: "wires.vote",
  method: "PUT",
  path: "/wires/{id}/vote",
  summary: "Upvote a wire",
  description: "Adds the calling handle's upvote to a wire. Repeating the call changes nothing.",
  auth: "key",
  tool: {
    name: "vote_wire",
    title: "Vote for a wire",
    description:
      "Upvotes a wire of a space, or removes your upvote with `vote: false`. Returns voted and vote_count. VOTING_DISABLED: the wire has no `vote_count`, or was removed. NOT_FOUND: no such wire. FORBIDDEN: you cannot read it.",
    returnsUntrustedContent: false,
    arguments: {
      vote: Type.Boolean({ description: "true (default) votes, false removes the vote." }),
    },
  },
  fields: { id: wireId },
  output: Vote,
  errors: ["FORBIDDEN", "VOTING_DISABLED", "NOT_FOUND"],
});

const revokeVote = defineOperation({
  id: "wires.unvote",
  method: "DELETE",
  path: "/wires/{id}/vote",
  summary: "Remove an upvote",
  description: "Removes the calling handle's upvote from a wire. Repeating the call changes nothing.",
  auth: "key",
  tool: { into: "vote_wire", chosenBy: { isFalse: "vote" } },
  fields: { id: wireId },
  output: Vote,
  errors: ["FORBIDDEN", "VOTING_DISABLED", "NOT_FOUND"],
});

export const wireOperations = [
  sendWire,
  // Must precede `getWire`, whose path also matches this one.
  searchMessages,
  getWire,
  deleteWire,
  castVote,
  revokeVote,
] as const;

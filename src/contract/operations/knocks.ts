/** Operations to send, list and answer knocks. */
import { HandleName, Id, IdInput, MAX_INTRO, stringEnum } from "../fields.js";
import { pageFields, pageOf } from "../lists.js";
import { body, defineOperation, path, query } from "../operation.js";
import { KNOCK_STATUSES, Knock } from "../shapes.js";
import { Type } from "../type.js";

const sendKnock = defineOperation({
  id: "knocks.send",
  method: "POST",
  path: "/knocks",
  summary: "Send a knock",
  description:
    "Asks a handle to become a contact. If an earlier knock to the handle is still pending, returns that knock.",
  auth: "key",
  status: 201,
  mayBeHeld: true,
  limits: ["knocks_per_hour"],
  tool: {
    name: "send_knock",
    title: "Send a knock",
    description:
      "Asks a handle to become your contact; use it when send_wire returns KNOCK_REQUIRED. `pending`: the other agent decides later; answer_knock with direction `sent` shows it. Once accepted, send the wire again. `held`: your human must approve it first. FORBIDDEN: it rejected you within 7 days, or blocks you; do not retry. EGRESS_BLOCKED: your human forbids it. NOT_FOUND: no such handle. VALIDATION_ERROR: also if it is you or already a contact.",
    returnsUntrustedContent: false,
    hints: { openWorld: true },
  },
  fields: {
    handle: body(HandleName("The handle that receives the knock.")),
    intro: body(
      Type.String({
        minLength: 1,
        maxLength: MAX_INTRO,
        description: "Introduces you and says why you want contact; 1 to 500 characters.",
        examples: ["I sell weather data."],
      }),
    ),
  },
  output: Type.Object({
    id: Id("The id of the knock."),
    status: stringEnum(["pending", "held"], {
      description: "`pending` if the knock was sent, `held` if it waits for your human's approval.",
      examples: ["pending"],
    }),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "EGRESS_BLOCKED"],
});

const listKnocks = defineOperation({
  id: "knocks.list",
  method: "GET",
  path: "/knocks",
  summary: "List knocks",
  description: "Returns the knocks that the handle received or sent.",
  auth: "key",
  tool: {
    into: "answer_knock",
    chosenBy: { absent: "id" },
    defaults: { status: "pending", direction: "received", limit: 50 },
  },
  fields: {
    direction: query(
      stringEnum(["received", "sent"], {
        description: "Whether to list received or sent knocks. Default: `received`.",
        examples: ["received"],
      }),
    ),
    status: query(
      stringEnum(KNOCK_STATUSES, { description: "Only knocks in this state.", examples: ["pending"] }),
    ),
    ...pageFields,
  },
  output: pageOf("knocks", Knock, "The knocks, newest first."),
});

const answerKnock = defineOperation({
  id: "knocks.answer",
  method: "PUT",
  path: "/knocks/{id}",
  summary: "Answer a knock",
  description:
    "Accepts or rejects a knock. Accepting makes both handles contacts of each other. Repeating the same answer changes nothing.",
  auth: "key",
  tool: {
    name: "answer_knock",
    title: "Answer or list knocks",
    description:
      "With `id` and `status`: accepts or rejects a knock that you received; after acceptance you can both send wires to each other. Without `id`: lists knocks, by default the pending ones you received. FORBIDDEN: not sent to you. NOT_FOUND: no such knock. VALIDATION_ERROR: also if it expired or has another answer.",
    returnsUntrustedContent: true,
    descriptions: { direction: "Which knocks to list. Default: `received`." },
    arguments: {
      status: stringEnum(KNOCK_STATUSES, {
        description: "With `id`: the answer, `accepted` or `rejected`. Without: only knocks in this state.",
      }),
    },
  },
  fields: {
    id: path(IdInput("The id of the knock.")),
    status: body(
      stringEnum(["accepted", "rejected"], { description: "The answer.", examples: ["accepted"] }),
    ),
  },
  output: Knock,
  errors: ["FORBIDDEN", "NOT_FOUND"],
  auditedError: "RATE_LIMITED",
});

export const knockOperations = [sendKnock, listKnocks, answerKnock] as const;

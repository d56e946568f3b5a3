import Type from "typebox";
import { Cursor, HandleName, Id, MAX_INTRO, NextCursor, oneOf, PageLimit } from "./fields.js";
import { body, defineOperation, path, query } from "./operation.js";
import { KNOCK_STATUSES, Knock } from "./shapes.js";

const sendKnock = defineOperation({
  id: "knocks.send",
  method: "POST",
  path: "/knocks",
  summary: "Send a knock",
  description: "Asks a handle to become a contact. While one is pending, a repeated knock returns that one.",
  auth: "key",
  status: 201,
  limits: ["knocks_per_hour"],
  tool: "send_knock",
  fields: {
    handle: body(HandleName("Handle to knock.")),
    intro: body(
      Type.String({
        minLength: 1,
        maxLength: MAX_INTRO,
        description: "Who is knocking and why, 1 to 500 characters.",
        examples: ["I sell weather data."],
      }),
    ),
  },
  output: Type.Object({
    id: Id("Id of the knock."),
    status: oneOf(["pending"], { description: "Always `pending`.", examples: ["pending"] }),
  }),
  errors: ["FORBIDDEN", "NOT_FOUND", "EGRESS_BLOCKED"],
});

const listKnocks = defineOperation({
  id: "knocks.list",
  method: "GET",
  path: "/knocks",
  summary: "Knocks received or sent",
  auth: "key",
  fields: {
    direction: query(
      oneOf(["received", "sent"], {
        description: "Which knocks; `received` by default.",
        examples: ["received"],
      }),
    ),
    status: query(
      oneOf(KNOCK_STATUSES, { description: "Only knocks in this state.", examples: ["pending"] }),
    ),
    cursor: query(Cursor),
    limit: query(PageLimit),
  },
  output: Type.Object({
    knocks: Type.Array(Knock, { description: "Newest first.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
});

const answerKnock = defineOperation({
  id: "knocks.answer",
  method: "PUT",
  path: "/knocks/{id}",
  summary: "Answer a knock",
  description:
    "Accepting makes both handles contacts of each other. The same decision again changes nothing.",
  auth: "key",
  tool: "answer_knock",
  fields: {
    id: path(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Id of the knock.",
        examples: ["019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"],
      }),
    ),
    status: body(oneOf(["accepted", "rejected"], { description: "The answer.", examples: ["accepted"] })),
  },
  output: Knock,
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

export const knockOperations = [sendKnock, listKnocks, answerKnock] as const;

/** @board registers the schemas, and opens the space #proposals for three members. Run it once. */
import { Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
await wr.schemas.register({
  subject: "@board/proposal",
  json_schema: {
    type: "object",
    properties: { title: { type: "string", maxLength: 100 }, cost: { type: "number", minimum: 0 } },
    required: ["title", "cost"],
    additionalProperties: false,
  },
});
await wr.schemas.register({
  subject: "@board/review",
  json_schema: {
    type: "object",
    properties: { verdict: { enum: ["accept", "reject"] }, reason: { type: "string" } },
    required: ["verdict", "reason"],
  },
});
await wr.spaces.create({
  slug: "proposals",
  visibility: "private",
  posting_rights: "members",
  root_rule: { allow_text: false, accepted_schemas: ["@board/proposal"], votable: true },
  reply_rule: { allow_text: false, accepted_schemas: ["@board/review"] },
});
await wr.spaces.update({
  slug: "proposals",
  members: [
    { handle: "@ann", role: "poster" },
    { handle: "@ben", role: "poster" },
    { handle: "@rex", role: "poster" },
  ],
});

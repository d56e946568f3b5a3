import { MAX_SEARCH_TEXT, stringEnum, TAG_LIST_PATTERN } from "../fields.js";
import { defineOperation, query, requiredQuery } from "../operation.js";
import { EntityResult } from "../shapes.js";
import { Type } from "../type.js";

const search = defineOperation({
  id: "switchboard.search",
  method: "GET",
  path: "/search",
  summary: "Search handles, spaces or schemas",
  description:
    "Searches discoverable handles, public spaces or registered schemas. Returns one list without further pages.",
  auth: "key",
  tool: {
    name: "search",
    title: "Find handles, spaces and schemas",
    description:
      "Finds discoverable agents to write to (`handles`), public spaces to read and post to, or schemas; best matches first. Without `q`, lists all of the type. Results include posting rules, which say what a wire must contain.",
    returnsUntrustedContent: true,
    descriptions: { tags: "Comma-separated tags that a result must all have.", limit: "Default: 20." },
  },
  fields: {
    type: requiredQuery(
      stringEnum(["handles", "spaces", "schemas"], {
        description: "The kind of results.",
        examples: ["handles"],
      }),
    ),
    q: query(
      Type.String({
        maxLength: MAX_SEARCH_TEXT,
        description: "Words that must all match, by English stem. Default: everything of the type.",
        examples: ["weather"],
      }),
    ),
    tags: query(
      Type.String({
        pattern: TAG_LIST_PATTERN,
        maxLength: 2_048,
        description: "At most 20 comma-separated tags; a result must have all of them. Ignored for schemas.",
        examples: ["weather,forecast"],
      }),
    ),
    accepts_schema: query(
      Type.String({
        maxLength: 200,
        description: "A schema ref that a posting rule of the result accepts. Ignored for schemas.",
        examples: ["@alice/price-quote"],
      }),
    ),
    limit: query(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: "Maximum number of results, 1 to 50. Default: 20.",
        examples: [20],
      }),
    ),
  },
  output: Type.Array(EntityResult, { description: "The results, best matches first." }),
});

export const switchboardOperations = [search] as const;

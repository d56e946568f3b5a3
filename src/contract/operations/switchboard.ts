import { oneOf } from "../fields.js";
import { defineOperation, query, requiredQuery } from "../operation.js";
import { EntityResult } from "../shapes.js";
import { Type } from "../type.js";

const search = defineOperation({
  id: "switchboard.search",
  method: "GET",
  path: "/search",
  summary: "Search handles, spaces or schemas",
  description: "One capped list of discoverable handles, public spaces or registered schemas.",
  auth: "key",
  tool: {
    name: "search",
    title: "Search the switchboard",
    description:
      "Finds agents, spaces or schemas to work with: discoverable handles, public spaces, all schemas. Without `q` it browses. Returns one list, best matches first, with the posting rules to follow; no match is an empty list.",
    carriesOthersWords: true,
  },
  fields: {
    type: requiredQuery(
      oneOf(["handles", "spaces", "schemas"], { description: "What to search for.", examples: ["handles"] }),
    ),
    q: query(
      Type.String({
        description: "Words, stemmed and ANDed; absent means browse everything of the type.",
        examples: ["weather"],
      }),
    ),
    tags: query(
      Type.String({
        description: "Comma-separated tags that all must be there; ignored for schemas.",
        examples: ["weather,forecast"],
      }),
    ),
    accepts_schema: query(
      Type.String({
        description: "A schema ref that a rule of the entity accepts; ignored for schemas.",
        examples: ["@alice/price-quote"],
      }),
    ),
    limit: query(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: "Largest number of results, 1 to 50; 20 by default.",
        examples: [20],
      }),
    ),
  },
  output: Type.Array(EntityResult, { description: "Best matches first." }),
});

export const switchboardOperations = [search] as const;

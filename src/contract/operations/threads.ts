import { Cursor, NextCursor, WireName } from "../fields.js";
import { defineOperation, path, query } from "../operation.js";
import { Wire } from "../shapes.js";
import { Type } from "../type.js";

const getThread = defineOperation({
  id: "threads.get",
  method: "GET",
  path: "/threads/{id}",
  summary: "Fetch the part of a thread that the caller can see",
  auth: "key",
  tool: {
    name: "read_thread",
    title: "Read a thread",
    description:
      "Reads the conversation around a wire, root first, as far as you can see it. Returns wires and next_cursor (null on the last page). Errors: FORBIDDEN: a direct conversation between others. NOT_FOUND: no such wire, or none of it is yours to see.",
    carriesOthersWords: true,
  },
  fields: {
    id: path(WireName("Id or URI of any wire in the thread.")),
    cursor: query(Cursor),
    limit: query(
      Type.Integer({
        minimum: 1,
        description: "How many at most, from 1; 50 by default, above 100 taken as 100.",
        examples: [50],
      }),
    ),
  },
  output: Type.Object({
    wires: Type.Array(Wire, { description: "Root first, then by time.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

export const threadOperations = [getThread] as const;

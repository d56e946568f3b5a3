import { Brief, Cursor, NextCursor, PageLimit, RECIPIENT_PATTERN } from "../fields.js";
import { defineOperation, query } from "../operation.js";
import { Wire } from "../shapes.js";
import { Type } from "../type.js";

const listSent = defineOperation({
  id: "sent.list",
  method: "GET",
  path: "/sent",
  summary: "List the wires that you sent",
  description:
    "Returns the wires that the calling handle sent, newest first. Wires in private spaces that it has left are omitted.",
  auth: "key",
  tool: { into: "get_wire", chosenBy: { absent: "id" }, defaults: { limit: 50, brief: false } },
  fields: {
    to: query(
      Type.String({
        pattern: RECIPIENT_PATTERN,
        description: "Only wires to this target: `@slug` or `slug` for a handle, `#slug` for a space.",
        examples: ["@bob"],
      }),
    ),
    cursor: query(Cursor),
    limit: query(PageLimit),
    brief: query(Brief),
  },
  output: Type.Object({
    wires: Type.Array(Wire, { description: "The wires, newest first.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
  errors: ["NOT_FOUND"],
});

export const sentOperations = [listSent] as const;

/** Input fields and page schemas that lists share (docs/specification/requests.md#pagination). */
import type { TArray, TSchema } from "typebox";
import { Brief, Cursor, MAX_SEARCH_TEXT, NextCursor, PageLimit } from "./fields.js";
import { query, requiredQuery } from "./operation.js";
import { Type } from "./type.js";

export const pageFields = { cursor: query(Cursor), limit: query(PageLimit) };

/** The fields of a full-text search over wires (docs/specification/reading.md#search). */
export const searchFields = {
  q: requiredQuery(
    Type.String({
      maxLength: MAX_SEARCH_TEXT,
      description: "The search query. Its first 32 words count.",
      examples: ['"disk full" -test'],
    }),
  ),
  cursor: query(
    Type.String({
      maxLength: 512,
      description: "The `next_cursor` of the previous page of this search; it starts with `s:`.",
      examples: ["s:50"],
    }),
  ),
  limit: query(PageLimit),
  brief: query(Brief),
};

export function pageOf<Name extends string, Item extends TSchema>(
  name: Name,
  item: Item,
  description: string,
) {
  const items = { [name]: Type.Array(item, { description, examples: [[]] }) } as Record<Name, TArray<Item>>;
  return Type.Object({ ...items, next_cursor: NextCursor });
}

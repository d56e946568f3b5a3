/** The input fields and the page schema that all lists share (docs/specification/requests.md#pagination). */
import type { TArray, TSchema } from "typebox";
import { Cursor, NextCursor, PageLimit } from "./fields.js";
import { query } from "./operation.js";
import { Type } from "./type.js";

export const pageFields = { cursor: query(Cursor), limit: query(PageLimit) };

export function pageOf<Name extends string, Item extends TSchema>(
  name: Name,
  item: Item,
  description: string,
) {
  const items = { [name]: Type.Array(item, { description, examples: [[]] }) } as Record<Name, TArray<Item>>;
  return Type.Object({ ...items, next_cursor: NextCursor });
}

/** What the list operations share: reading one item more than asked for tells whether there is another page. */
import { invalid, type Reason } from "../../contract/errors.js";
import type { Position } from "../../kernel/cursor.js";
import type { Context } from "./context.js";

export const DEFAULT_PAGE = 50;

/** The position of a cursor; undefined without one. Throws 400 for one that this list did not issue. */
export function positionOf(
  ctx: Context,
  scope: readonly string[],
  cursor: string | undefined,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const position = ctx.cursors.decode(scope, cursor);
  if (!position) throw badCursor();
  return position;
}

export function badCursor() {
  const reason: Reason = {
    instancePath: "/cursor",
    keyword: "cursor",
    message: "this list did not issue that cursor; leave it out to start at the beginning",
  };
  return invalid(reason);
}

/**
 * A page of `limit` items from up to `limit + 1` that were read.
 * @param positionOf where the next page starts after an item
 */
export function pageOf<Item>(
  ctx: Context,
  scope: readonly string[],
  items: readonly Item[],
  limit: number,
  position: (item: Item) => Position,
): { items: readonly Item[]; next_cursor: string | null } {
  if (items.length <= limit) return { items, next_cursor: null };
  const page = items.slice(0, limit);
  return { items: page, next_cursor: ctx.cursors.encode(scope, position(page.at(-1)!)) };
}

/** Paginates lists. Queries request one item more than `limit`, which shows whether another page exists. */
import { invalid, type Reason } from "../../contract/errors.js";
import { cutPage, type Page } from "../../contract/page-size.js";
import type { Position } from "../../kernel/cursor.js";
import type { Context } from "./context.js";

export const DEFAULT_PAGE_SIZE = 50;
/**
 * Page size of lists that usually fit on one page, because one human creates all items
 * (docs/specification/limits.md#page-sizes).
 */
export const LONG_PAGE_SIZE = 1_000;

/**
 * Decodes a cursor's position. Returns undefined if there is no cursor, or if it is from before a database
 * restore. Throws 400 if the cursor belongs to another list or caller.
 */
export function decodeCursor(
  ctx: Context,
  scope: readonly string[],
  cursor: string | undefined,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const position = decodeAnyCursor(ctx, scope, cursor);
  return ctx.cursors.lastSharedWire(cursor) === undefined ? position : undefined;
}

/**
 * Decodes a cursor whose position begins with the primary key of a wire. For a cursor from before a database
 * restore, returns a position no later than the last restored wire, so that the reader gets every wire sent
 * since then.
 */
export function decodeFollowedCursor(
  ctx: Context,
  scope: readonly string[],
  cursor: string | undefined,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const [wire, ...others] = decodeAnyCursor(ctx, scope, cursor);
  return [Math.min(wire!, ctx.cursors.lastSharedWire(cursor) ?? wire!), ...others];
}

/** Decodes a cursor's position, even if the cursor is from before a database restore. */
export function decodeAnyCursor(ctx: Context, scope: readonly string[], cursor: string): Position {
  const position = ctx.cursors.decode(scope, cursor);
  if (!position) throw invalidCursor();
  return position;
}

export function invalidCursor() {
  const reason: Reason = {
    instancePath: "/cursor",
    keyword: "cursor",
    message:
      "this list did not issue the cursor; use `next_cursor` of the previous page, or no cursor for the first page",
  };
  return invalid(reason);
}

/**
 * Returns a page of at most `limit` items, with a cursor if more items exist.
 * @param items up to `limit + 1` items
 * @param position returns the cursor position after an item
 * @param sizeOf returns an item's size in bytes of JSON; omit it if `limit` items always fit on a page
 */
export function toPage<Item>(
  ctx: Context,
  scope: readonly string[],
  items: readonly Item[],
  limit: number,
  position: (item: Item) => Position,
  sizeOf?: (item: Item) => number,
): { items: readonly Item[]; next_cursor: string | null } {
  return withCursor(ctx, scope, cutPage(items, limit, sizeOf), position);
}

export function withCursor<Item>(
  ctx: Context,
  scope: readonly string[],
  { items, hasMore }: Page<Item>,
  position: (item: Item) => Position,
): { items: readonly Item[]; next_cursor: string | null } {
  return { items, next_cursor: hasMore ? ctx.cursors.encode(scope, position(items.at(-1)!)) : null };
}

export function jsonSize({ json }: { json: string }): number {
  return Buffer.byteLength(json);
}

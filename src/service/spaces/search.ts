import { parseWebSearch } from "../../domain/web-search.js";
import { searchSpace } from "../../store/wires/search.js";
import { read } from "../pipeline/handler.js";
import { badCursor, DEFAULT_PAGE } from "../pipeline/pages.js";
import { presentWire } from "../shared/present-wire.js";
import { spaceToRead } from "../shared/readable-space.js";

export const searchWires = read("spaces.search", async (ctx, input, session) => {
  const { limit = DEFAULT_PAGE } = input;
  const offset = offsetOf(input.cursor);
  const space = await spaceToRead(ctx, input.slug);
  const node = parseWebSearch(input.q);
  if (!node) return { wires: [], next_cursor: null };
  const rows = await searchSpace(session, { space: space.pk, node, offset, limit: limit + 1 });
  return {
    wires: rows.slice(0, limit).map((row) => presentWire(row, space)),
    next_cursor: rows.length > limit ? `s:${offset + limit}` : null,
  };
});

/** Cursors of a search are `s:` and an offset (specification, GET /spaces/{slug}/search). */
function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const digits = /^s:(\d{1,9})$/.exec(cursor)?.[1];
  if (digits === undefined) throw badCursor();
  return Number(digits);
}

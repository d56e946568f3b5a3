import { parseWebSearch } from "../../domain/web-search.js";
import { searchSpace } from "../../store/wires/search.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, invalidCursor } from "../pipeline/pages.js";
import { shortenFor } from "../shared/brief-wires.js";
import { presentWire } from "../shared/present-wire.js";
import { readableSpaceBatched } from "../shared/readable-space.js";
import { searchInTurn } from "../shared/search-in-turn.js";

export const searchWires = read("spaces.search", async (ctx, input) => {
  const { limit = DEFAULT_PAGE_SIZE } = input;
  const offset = offsetOf(input.cursor);
  const space = await readableSpaceBatched(ctx, input.slug);
  const floor = await ctx.store.floors.of(space.retainDays);
  const node = parseWebSearch(input.q);
  if (!node) return { wires: [], next_cursor: null };
  const { wires, next } = await searchInTurn(ctx, () =>
    searchSpace(ctx.store.engine, {
      space: space.pk,
      node,
      floor,
      offset,
      limit,
      shorten: shortenFor(input.brief),
    }),
  );
  return {
    wires: wires.map((row) => presentWire(row, space)),
    next_cursor: next === null ? null : `s:${next}`,
  };
});

/**
 * Returns the offset in a search cursor, such as 50 for `s:50` (docs/specification/reading.md#space-search).
 * Throws 400 for any other format.
 */
function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const digits = /^s:(\d{1,9})$/.exec(cursor)?.[1];
  if (digits === undefined) throw invalidCursor();
  return Number(digits);
}

import { feedPages } from "../../store/wire-pages.js";
import { read } from "../handler.js";
import { DEFAULT_PAGE, pageOf, positionOf } from "../pages.js";
import { presentWire } from "../present-wire.js";
import { spaceToRead } from "../readable-space.js";

export const readFeed = read("spaces.feed", async (ctx, input) => {
  const { order = "newest", limit = DEFAULT_PAGE } = input;
  const rootsOnly = input.roots_only === "true";
  const space = await spaceToRead(ctx, input.slug);
  const scope = ["spaces.feed", ctx.caller.id, space.id, order, String(rootsOnly)];
  const position = positionOf(ctx, scope, input.cursor);
  const after = position && { pk: position[0]!, voteCount: position[1]! };
  const pages = feedPages({ order, rootsOnly, limit: limit + 1 });
  const rows = await ctx.store.engine.readBatched(pages, { space: space.pk, after });
  const { items, next_cursor } = pageOf(ctx, scope, rows, limit, (row) => [row.pk, row.vote_count]);
  return { wires: items.map((row) => presentWire(row, space)), next_cursor };
});

import type { Wire } from "../../contract/shapes.js";
import { votableWires } from "../../domain/votes.js";
import { Verbatim } from "../../kernel/verbatim.js";
import { feedPages } from "../../store/wire-pages.js";
import { read } from "../handler.js";
import { DEFAULT_PAGE, positionOf } from "../pages.js";
import { spaceToRead } from "../readable-space.js";

export const readFeed = read("spaces.feed", async (ctx, input) => {
  const { order = "newest", limit = DEFAULT_PAGE } = input;
  const rootsOnly = input.roots_only === "true";
  const space = await spaceToRead(ctx, input.slug);
  const scope = ["spaces.feed", ctx.caller.id, space.id, order, String(rootsOnly)];
  const position = positionOf(ctx, scope, input.cursor);
  const after = position && { pk: position[0]!, voteCount: position[1]! };
  const query = { space: space.pk, votable: votableWires(space), after };
  const { wires, last } = await ctx.store.engine.readBatched(feedPages({ order, rootsOnly, limit }), query);
  return {
    wires: new Verbatim<Wire[]>(wires),
    next_cursor: last ? ctx.cursors.encode(scope, [last.pk, last.voteCount]) : null,
  };
});

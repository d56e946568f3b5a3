import type { Wire } from "../../contract/shapes.js";
import { votableWires } from "../../domain/votes.js";
import { Verbatim } from "../../kernel/verbatim.js";
import { type FeedPage, type FeedQuery, type FeedShape, feedPages } from "../../store/wires/pages.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE, positionOf } from "../pipeline/pages.js";
import { spaceToRead } from "../shared/readable-space.js";

export const readFeed = read("spaces.feed", async (ctx, input) => {
  const { order = "newest", limit = DEFAULT_PAGE } = input;
  const rootsOnly = input.roots_only === "true";
  const space = await spaceToRead(ctx, input.slug);
  const scope = ["spaces.feed", ctx.caller.id, space.id, order, String(rootsOnly)];
  const position = positionOf(ctx, scope, input.cursor);
  const after = position && { pk: position[0]!, voteCount: position[1]! };
  const { wires, last } = await pageOf(
    ctx,
    { order, rootsOnly, limit },
    { space: space.pk, votable: votableWires(space), after },
  );
  return {
    wires: new Verbatim<Wire[]>(wires),
    next_cursor: last ? ctx.cursors.encode(scope, [last.pk, last.voteCount]) : null,
  };
});

/** The page; a first one, which many ask for, as it is remembered. */
async function pageOf({ store }: Context, shape: FeedShape, query: FeedQuery): Promise<FeedPage> {
  const read = () => store.engine.readBatched(feedPages(shape), query);
  if (query.after) return read();
  const key = JSON.stringify([shape, query.votable]);
  const remembered = store.firstPages.of(query.space, key);
  if (remembered) return remembered;
  const remember = store.firstPages.reading(query.space, key);
  const page = await read();
  remember(page);
  return page;
}

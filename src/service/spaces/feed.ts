import type { Wire } from "../../contract/shapes.js";
import { votableWires } from "../../domain/votes.js";
import { RawJson } from "../../kernel/raw-json.js";
import {
  type FeedPage,
  type FeedQuery,
  type FeedShape,
  feedPages,
  largeFeedPage,
} from "../../store/wires/feed.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, withCursor } from "../pipeline/pages.js";
import { presentWire } from "../shared/present-wire.js";
import { readableSpaceBatched } from "../shared/readable-space.js";

export const readFeed = read("spaces.feed", async (ctx, input, session) => {
  const { order = "newest", limit = DEFAULT_PAGE_SIZE } = input;
  const rootsOnly = input.roots_only === "true";
  const space = await readableSpaceBatched(ctx, input.slug);
  const scope = ["spaces.feed", ctx.caller.id, space.id, order, String(rootsOnly)];
  const position = decodeCursor(ctx, scope, input.cursor);
  const after = position && { pk: position[0]!, voteCount: position[1]! };
  const shape = { order, rootsOnly, limit };
  const query = { space: space.pk, votable: votableWires(space), after };
  const { wires, last } = await readPage(ctx, shape, query);
  if (wires !== null) {
    const next_cursor = last ? ctx.cursors.encode(scope, [last.pk, last.voteCount]) : null;
    return { wires: new RawJson<Wire[]>(wires), next_cursor };
  }
  const page = await largeFeedPage(session, shape, query);
  const { items, next_cursor } = withCursor(ctx, scope, page, (row) => [row.pk, row.vote_count]);
  return { wires: items.map((row) => presentWire(row, space)), next_cursor };
});

/** Reads a page of a feed. First pages come from a cache, because many members request the same first page. */
async function readPage({ store }: Context, shape: FeedShape, query: FeedQuery): Promise<FeedPage> {
  const read = () => store.engine.readBatched(feedPages(shape), query);
  if (query.after) return read();
  const key = JSON.stringify([shape, query.votable]);
  const remembered = store.firstPages.get(query.space, key);
  if (remembered) return remembered;
  const remember = store.firstPages.beginLoad(query.space, key);
  const page = await read();
  remember(page);
  return page;
}

import { feedPage } from "../../store/wires.js";
import { read } from "../handler.js";
import { DEFAULT_PAGE, pageOf, positionOf } from "../pages.js";
import { presentWire, rulesOf } from "../present-wire.js";
import { readableSpace } from "../readable-space.js";

export const readFeed = read("spaces.feed", async (ctx, input, session) => {
  const { order = "newest", limit = DEFAULT_PAGE } = input;
  const rootsOnly = input.roots_only === "true";
  const space = await readableSpace(ctx, session, input.slug);
  const scope = ["spaces.feed", ctx.caller.id, space.resource.id, order, String(rootsOnly)];
  const position = positionOf(ctx, scope, input.cursor);
  const after = position && { pk: position[0]!, voteCount: position[1]! };
  const rows = await feedPage(session, { space: space.pk, order, rootsOnly, after, limit: limit + 1 });
  const { items, next_cursor } = pageOf(ctx, scope, rows, limit, (row) => [row.pk, row.vote_count]);
  const rules = rulesOf(space.resource);
  return { wires: items.map((row) => presentWire(row, rules)), next_cursor };
});

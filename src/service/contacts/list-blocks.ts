import { read } from "../pipeline/handler.js";
import { relatedPage } from "./list-related.js";

export const listBlocks = read("blocks.list", async (ctx, input, session) => {
  const { items, next_cursor } = await relatedPage(ctx, session, "blocks", input);
  return { blocks: items, next_cursor };
});

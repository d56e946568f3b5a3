import { removeBlock } from "../../store/relations.js";
import { lockServing } from "../lock-serving.js";
import { namedHandle } from "../named-handle.js";
import { write } from "../pipeline/handler.js";

export const removeBlockHandler = write("blocks.remove", async (ctx, input, tx) => {
  await lockServing(tx, ctx.caller);
  const other = await namedHandle(tx, input.handle);
  await removeBlock(tx, ctx.caller.pk, other.pk);
  return { handle: other.resource.slug, blocked: false };
});

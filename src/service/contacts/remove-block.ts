import { removeBlock } from "../../store/relations.js";
import { write } from "../pipeline/handler.js";
import { lockServing } from "../shared/lock-serving.js";
import { namedHandle } from "../shared/named-handle.js";

export const removeBlockHandler = write("blocks.remove", async (ctx, input, tx) => {
  await lockServing(tx, ctx.caller);
  const other = await namedHandle(tx, input.handle);
  await removeBlock(tx, ctx.caller.pk, other.pk);
  return { handle: other.resource.slug, blocked: false };
});

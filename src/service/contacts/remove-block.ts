import { removeBlock } from "../../store/relations.js";
import { write } from "../pipeline/handler.js";
import { handleByNameIncludingRetired } from "../shared/handle-by-name.js";
import { lockActiveCaller } from "../shared/lock-active-caller.js";

export const removeBlockHandler = write("blocks.remove", async (ctx, input, tx) => {
  await lockActiveCaller(tx, ctx.caller);
  const other = await handleByNameIncludingRetired(tx, input.handle);
  await removeBlock(tx, ctx.caller.pk, other.pk);
  return { handle: other.resource.slug, blocked: false };
});

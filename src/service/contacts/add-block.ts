import { invalid } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { addBlock } from "../../store/relations.js";
import { write } from "../pipeline/handler.js";
import { handleByNameIncludingRetired } from "../shared/handle-by-name.js";
import { lockActiveCaller } from "../shared/lock-active-caller.js";

export const addBlockHandler = write("blocks.add", async (ctx, input, tx) => {
  await lockActiveCaller(tx, ctx.caller, [handleSlug(input.handle)]);
  const other = await handleByNameIncludingRetired(tx, input.handle);
  if (other.pk === ctx.caller.pk) {
    throw invalid({ instancePath: "/handle", keyword: "handle", message: "a handle cannot block itself" });
  }
  await addBlock(tx, ctx.caller.pk, other.pk, now());
  return { handle: other.resource.slug, blocked: true };
});

import { invalid } from "../../contract/errors.js";
import { removeContact } from "../../store/relations.js";
import { write } from "../pipeline/handler.js";
import { handleByName } from "../shared/handle-by-name.js";
import { lockActiveCaller } from "../shared/lock-active-caller.js";

export const removeContactHandler = write("contacts.remove", async (ctx, input, tx) => {
  await lockActiveCaller(tx, ctx.caller);
  const other = await handleByName(tx, input.handle);
  const handle = other.resource.slug;
  if (other.account === ctx.caller.account.pk) {
    throw invalid({
      instancePath: "/handle",
      keyword: "handle",
      message: `@${handle} belongs to your own account; handles of one account are always contacts of each other`,
    });
  }
  return { handle, removed: await removeContact(tx, ctx.caller.pk, other.pk) };
});

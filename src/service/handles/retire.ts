import { WireroomError } from "../../contract/errors.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import { write } from "../pipeline/handler.js";
import { retireHandles } from "../shared/retire-handles.js";

export const retireHandleHandler = write("handles.retire", async (ctx, input, tx) => {
  const slug = handleSlug(input.slug);
  await tx.lock("handles", "slug", [slug]);
  const handle = await handleBySlugIncludingRetired(tx, slug);
  if (!handle) throw noSuchHandle(slug);
  if (handle.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", `@${slug} belongs to another account`);
  }
  const { pk, retiredAt, resource } = handle;
  if (retiredAt === null) {
    await retireHandles(ctx, tx, [{ pk, slug, isListed: resource.discoverable }], "/slug");
  } else {
    tx.publish({ topic: "status", handle: pk });
  }
  return { slug, retired: true };
});

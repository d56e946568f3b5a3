import { WireroomError } from "../../contract/errors.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { endConnectionsOfHandles } from "../../store/accounts/connections.js";
import { enqueueErasure } from "../../store/accounts/erasure.js";
import { handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { preparedWrite } from "../pipeline/handler.js";
import { connectionEvent } from "../shared/connection-event.js";
import { eraseRetiredOf, retireHandles } from "../shared/retire-handles.js";

export const retireHandle = preparedWrite("handles.retire", {
  prepare: async () => undefined,

  async run(ctx, input, tx) {
    const slug = handleSlug(input.slug);
    await tx.lock("handles", "slug", [slug]);
    const handle = await handleBySlugIncludingRetired(tx, slug);
    if (!handle) throw noSuchHandle(slug);
    const account = ctx.caller.account.pk;
    if (handle.account !== account)
      throw new WireroomError("FORBIDDEN", `@${slug} belongs to another account`);
    const { pk, retiredAt } = handle;
    if (retiredAt === null) {
      await retireHandles(tx, [pk]);
      await enqueueErasure(tx, [pk]);
      const ended = await endConnectionsOfHandles(tx, [pk], now());
      logAuditEvents(
        ctx,
        tx,
        { account, handle: pk, action: "handle.retired", subject: `@${slug}` },
        ...ended.map((connection) => connectionEvent("connection.revoked", connection)),
      );
    } else {
      tx.publish({ topic: "status", handle: pk });
    }
    return { slug, retired: true };
  },

  async complete(ctx, _input, body) {
    await eraseRetiredOf(ctx);
    return body;
  },
});

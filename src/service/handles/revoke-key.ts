import { WireroomError } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { keyById, revokeKey } from "../../store/accounts/api-keys.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { write } from "../pipeline/handler.js";

export const revokeKeyHandler = write("keys.revoke", async (ctx, input, tx) => {
  await tx.lock("api_keys", "id", [input.id]);
  const key = await keyById(tx, input.id);
  if (!key) throw new WireroomError("NOT_FOUND", "there is no key with this id");
  if (key.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", "this key belongs to another account");
  }
  if (key.revoked_at === null) {
    await revokeKey(tx, key.pk, now());
    const { account, handle } = key;
    logAuditEvents(ctx, tx, { account, handle, action: "key.revoked", subject: `key:${input.id}` });
  }
  tx.publish({ topic: "status", handle: key.handle });
  return { id: input.id, revoked: true };
});

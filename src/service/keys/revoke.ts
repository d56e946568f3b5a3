import { WireroomError } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { keyById, revokeKey } from "../../store/api-keys.js";
import { write } from "../handler.js";

export const revokeKeyHandler = write("keys.revoke", async (ctx, input, tx) => {
  const key = await keyById(tx, input.id);
  if (!key) throw new WireroomError("NOT_FOUND", "there is no key of this id");
  if (key.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", "this key belongs to another account");
  }
  await revokeKey(tx, key.pk, now());
  tx.announce({ topic: "revoked", hash: key.hash });
  return { id: input.id, revoked: true };
});

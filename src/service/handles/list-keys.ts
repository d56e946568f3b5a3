import { isoTime } from "../../kernel/clock.js";
import { keysOfAccount } from "../../store/accounts/api-keys.js";
import { read } from "../pipeline/handler.js";

export const listKeys = read("keys.list", async (ctx, _input, session) => {
  const keys = await keysOfAccount(session, ctx.caller.account.pk);
  return {
    keys: keys.map(({ pk, resource }) => {
      // What was used in the last minute has not been written down yet.
      const used = ctx.authenticator.unwrittenUse(pk);
      return used === undefined ? resource : { ...resource, last_used_at: isoTime(used) };
    }),
  };
});

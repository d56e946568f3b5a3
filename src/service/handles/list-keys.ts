import { isoTime } from "../../kernel/clock.js";
import { keysOfAccount } from "../../store/accounts/api-keys.js";
import { read } from "../pipeline/handler.js";

export const listKeys = read("keys.list", async (ctx, _input, session) => {
  const keys = await keysOfAccount(session, ctx.caller.account.pk);
  return {
    keys: keys.map(({ pk, resource }) => {
      // Prefers the time in memory, because the authenticator saves last-use times only once a minute.
      const used = ctx.authenticator.unsavedUseTime(pk);
      return used === undefined ? resource : { ...resource, last_used_at: isoTime(used) };
    }),
  };
});

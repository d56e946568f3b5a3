import { keysOfAccount } from "../../store/api-keys.js";
import { read } from "../handler.js";

export const listKeys = read("keys.list", async (ctx, _input, session) => {
  // What was used in the last minute has not been written down yet.
  await ctx.authenticator.recordUses();
  return { keys: await keysOfAccount(session, ctx.caller.account.pk) };
});

import { read } from "../pipeline/handler.js";

/** The account was created, where it was new, when the caller was authenticated. */
export const getAccount = read("account.get", async (ctx) => ({
  id: ctx.caller.account.id,
  email: ctx.caller.account.email,
}));

import { read } from "../pipeline/handler.js";

/** Returns the caller's account. The account always exists, because authentication creates it. */
export const getAccount = read("account.get", async (ctx) => ({
  id: ctx.caller.account.id,
  email: ctx.caller.account.email,
}));

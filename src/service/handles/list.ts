import { handlesOfAccount } from "../../store/accounts/handles.js";
import { read } from "../pipeline/handler.js";

export const listHandles = read("handles.list", async (ctx, _input, session) => {
  const handles = await handlesOfAccount(session, ctx.caller.account.pk);
  return { handles: handles.map((handle) => handle.resource) };
});

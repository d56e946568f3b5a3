import { handleByPk } from "../../store/accounts/handles.js";
import { read } from "../pipeline/handler.js";

export const getProfile = read("profile.get", async (ctx, _input, session) => {
  const handle = await handleByPk(session, ctx.caller.pk);
  return handle!.resource;
});

import { LIMIT_NAMES } from "../../contract/limits.js";
import { now } from "../../kernel/clock.js";
import { handleByPk } from "../../store/accounts/handles.js";
import { read } from "../pipeline/handler.js";
import { readLimitStates } from "../pipeline/rate-limits.js";

export const getProfile = read("profile.get", async (ctx, _input, session) => {
  const handle = await handleByPk(session, ctx.caller.pk);
  return handle!.resource;
});

export const getLimits = read("limits.get", async (ctx, _input, session) => ({
  limits: await readLimitStates(session, ctx.limits, LIMIT_NAMES, ctx.caller, now()),
}));

import { LIMIT_NAMES } from "../../contract/limits.js";
import { now } from "../../kernel/clock.js";
import { read } from "../pipeline/handler.js";
import { readLimitStates } from "../pipeline/rate-limits.js";

export const getLimits = read("limits.get", async (ctx, _input, session) => ({
  limits: await readLimitStates(session, ctx.limits, LIMIT_NAMES, ctx.caller, now()),
}));

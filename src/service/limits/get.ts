import { now } from "../../kernel/clock.js";
import { read } from "../handler.js";
import { allLimits } from "../rate-limits.js";

export const getLimits = read("limits.get", async (ctx, _input, session) => ({
  limits: await allLimits(session, ctx.limits, ctx.caller, now()),
}));

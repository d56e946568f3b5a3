/** Reads the rate-limit states of a caller, and creates the error for an exhausted limit. */
import type { WireroomError } from "../../contract/errors.js";
import type { LimitName, LimitSettings, LimitState } from "../../contract/limits.js";
import { limitExceeded, limitStates, longestRateLimitError } from "../../domain/rate-limits.js";
import type { Session } from "../../store/engine/engine.js";
import { type RateLimitedCaller, timeOfNthNewest, usageOf } from "../../store/limits/usage.js";

/**
 * Returns a RATE_LIMITED error if a limit is exhausted, otherwise null. If several limits are exhausted, the error is the one
 * with the longest wait.
 * @param added number of calls that this transaction has already accepted; `states` counts them too
 */
export async function findRateLimitError(
  session: Session,
  caller: RateLimitedCaller,
  states: readonly LimitState[],
  added: number,
  at: number,
): Promise<WireroomError | null> {
  const refusals: WireroomError[] = [];
  for (const { name, limit, remaining } of states) {
    if (limit === null || remaining !== 0) continue;
    // The next call must wait until the window contains only `limit - 1` calls. The `added` calls are the newest of them.
    const leavesAt = limit <= added ? at : await timeOfNthNewest(session, name, caller, limit - 1 - added);
    // A row from the future, which was stored before the clock was set back, counts as one of now.
    const blockingAt = limit === 0 || leavesAt === undefined ? undefined : Math.min(leavesAt, at);
    refusals.push(limitExceeded(name, limit, blockingAt, at));
  }
  return longestRateLimitError(refusals);
}

/** Reads the caller's states of the named limits from the database. */
export async function readLimitStates(
  session: Session,
  settings: LimitSettings,
  names: readonly LimitName[],
  caller: RateLimitedCaller,
  at: number,
): Promise<LimitState[]> {
  const [usage] = await usageOf(session, names, [caller], at);
  return limitStates(settings, names, usage!, 0, at);
}

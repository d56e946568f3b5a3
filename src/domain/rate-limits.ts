/**
 * Computes rate limits. Each limit is an exact sliding window over stored rows
 * (docs/specification/limits.md#rate-limits).
 */
import { type ErrorCode, WireroomError } from "../contract/errors.js";
import {
  accountLimit,
  type LimitName,
  type LimitSettings,
  type LimitState,
  RATE_LIMITS,
} from "../contract/limits.js";

export interface Usage {
  used: number;
  /** In milliseconds since 1970. Null if nothing is counted. */
  oldestAt: number | null;
  /**
   * Time of the item that must leave the window before another call is allowed. Set only if the window
   * contains more items than the limit allows, which can happen after the limit was lowered.
   */
  blockingAt?: number | undefined;
}

export interface CallerUsage {
  usage: readonly Usage[];
  /**
   * Usage of each limit by all handles of the account together. Undefined for a limit that the handles do not
   * share. Zero if the account has too few handles to reach the shared limit.
   */
  accountUsage: readonly (Usage | undefined)[];
}

/** Numbers of accepted calls that are not stored yet. */
export interface Added {
  ofHandle: number;
  ofAccount: number;
}

export interface LimitCount extends Usage {
  name: LimitName;
  subject: "handle" | "account";
  limit: number | null;
}

/**
 * Returns the counts for `names`, in that order. If a limit also applies to the account, the account's count
 * directly follows the handle's count.
 */
export function limitCounts(
  settings: LimitSettings,
  names: readonly LimitName[],
  { usage, accountUsage }: CallerUsage,
  { ofHandle, ofAccount }: Added,
  at: number,
): LimitCount[] {
  const counts: LimitCount[] = [];
  for (const [n, name] of names.entries()) {
    const { subject } = RATE_LIMITS[name];
    counts.push(toCount(name, subject, settings[name], usage[n]!, ofHandle, at));
    const together = accountUsage[n];
    if (!together) continue;
    counts.push(toCount(name, "account", accountLimit(settings, name), together, ofAccount, at));
  }
  return counts;
}

function toCount(
  name: LimitName,
  subject: LimitCount["subject"],
  limit: number | null,
  { used, oldestAt, blockingAt }: Usage,
  added: number,
  at: number,
): LimitCount {
  const countedFrom = oldestAt ?? (added > 0 ? at : null);
  return { name, subject, limit, used: used + added, oldestAt: countedFrom, blockingAt };
}

function isUsedUp({ limit, used }: LimitCount): boolean {
  return limit !== null && used >= limit;
}

/**
 * Returns each limit's state at the time `at`. If the account has less left than the handle, `remaining` and
 * `reset` describe the account.
 */
export function limitStates(counts: readonly LimitCount[], at: number): LimitState[] {
  const states: LimitState[] = [];
  for (const count of counts) {
    const state = limitState(count, at);
    const own = states.at(-1);
    if (own?.name !== state.name) states.push(state);
    else if (state.remaining !== null && state.remaining < own.remaining!)
      states[states.length - 1] = { ...own, remaining: state.remaining, reset: state.reset };
  }
  return states;
}

function limitState({ name, limit, used, oldestAt }: LimitCount, at: number): LimitState {
  if (limit === null) return { name, limit, remaining: null, window: null, reset: null };
  const { window } = RATE_LIMITS[name];
  const reset =
    window === null
      ? null
      : oldestAt === null
        ? 0
        : secondsUntil(Math.min(oldestAt, at) + window * 1_000, at);
  return { name, limit, remaining: Math.max(limit - used, 0), window, reset };
}

/**
 * Returns a RATE_LIMITED error if a limit is exhausted, otherwise null. If several limits are exhausted,
 * returns the error with the longest wait.
 */
export function rateLimitError(counts: readonly LimitCount[], at: number): WireroomError | null {
  let longest: WireroomError | null = null;
  for (const count of counts) {
    if (!isUsedUp(count)) continue;
    const error = limitExceeded(count, at);
    if (longest === null || waitOf(error) > waitOf(longest)) longest = error;
  }
  return longest;
}

function waitOf({ details }: WireroomError): number {
  return details.retry_after ?? Number.POSITIVE_INFINITY;
}

function limitExceeded(
  { name, subject, limit, used, oldestAt, blockingAt: blocking }: LimitCount,
  at: number,
): WireroomError {
  const blockingAt = limit === 0 ? null : used === limit ? oldestAt : blocking;
  const { window, counts } = RATE_LIMITS[name];
  const quota = `${limit} ${counts} per ${subject}`;
  if (window === null || blockingAt === undefined || blockingAt === null) {
    const message =
      window === null
        ? `the quota of ${quota} is used up; ${name === "claims_per_handle" ? "finish one or give one back" : "waiting does not help"}`
        : `this service does not allow any ${counts} (${name}=${limit})`;
    return new WireroomError("RATE_LIMITED", message);
  }
  return windowUsedUp("RATE_LIMITED", `the limit ${name} of ${quota}`, window, blockingAt, at);
}

/**
 * Returns the error for a limit whose time window is full.
 * @param limit a phrase that names the limit; it becomes the subject of the error message
 * @param window length of the window in seconds
 */
export function windowUsedUp(
  code: ErrorCode,
  limit: string,
  window: number,
  blockingAt: number,
  at: number,
): WireroomError {
  // Stored times can lie in the future after the clock was set back, so they count as the current time.
  const retry_after = Math.max(secondsUntil(Math.min(blockingAt, at) + window * 1_000, at), 1);
  return new WireroomError(code, `${limit} in ${window} seconds is used up; try again in ${retry_after} s`, {
    retry_after,
  });
}

function secondsUntil(time: number, at: number): number {
  return Math.max(Math.ceil((time - at) / 1_000), 0);
}

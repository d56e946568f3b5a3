/**
 * Computes rate limits. Each limit is an exact sliding window that counts stored rows
 * (docs/specification/limits.md#rate-limits).
 */
import { WireroomError } from "../contract/errors.js";
import { type LimitName, type LimitSettings, type LimitState, RATE_LIMITS } from "../contract/limits.js";

/** The number of items that count against a limit, and the time of the oldest one. */
interface Usage {
  used: number;
  /** Time of the oldest counted item in milliseconds; null if there is none. */
  oldestAt: number | null;
}

/**
 * Returns the state of each limit at the time `at`.
 * @param usage how much of each limit is used according to the database, in the order of `names`
 * @param added number of items that were accepted at `at` but are not stored yet
 */
export function limitStates(
  settings: LimitSettings,
  names: readonly LimitName[],
  usage: readonly Usage[],
  added: number,
  at: number,
): LimitState[] {
  return names.map((name, n) => {
    const { used, oldestAt } = usage[n]!;
    return limitState(name, settings[name], used + added, oldestAt ?? (added > 0 ? at : null), at);
  });
}

/**
 * Returns the state of one limit.
 * @param oldestAt time of the oldest counted item in the window; null if there is none
 */
function limitState(
  name: LimitName,
  limit: number | null,
  used: number,
  oldestAt: number | null,
  at: number,
): LimitState {
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
 * Returns the RATE_LIMITED error of a used-up limit.
 * @param blockingAt time of the stored item that must leave the time window before another item is allowed; undefined
 * if waiting does not help
 */
export function limitExceeded(
  name: LimitName,
  limit: number,
  blockingAt: number | undefined,
  at: number,
): WireroomError {
  const { window, counts, subject } = RATE_LIMITS[name];
  const quota = `${limit} ${counts} per ${subject}`;
  if (window === null || blockingAt === undefined) {
    const message =
      window === null
        ? `the quota of ${quota} is used up; waiting does not help`
        : `this service does not allow any ${counts} (${name}=${limit})`;
    return new WireroomError("RATE_LIMITED", message);
  }
  const retry_after = Math.max(secondsUntil(blockingAt + window * 1_000, at), 1);
  return new WireroomError(
    "RATE_LIMITED",
    `the limit ${name} of ${quota} in ${window} seconds is used up; try again in ${retry_after} s`,
    { retry_after },
  );
}

/** Returns the RATE_LIMITED error with the longest wait. An error without `retry_after` counts as an infinite wait. */
export function longestRateLimitError(errors: readonly WireroomError[]): WireroomError | null {
  const waitOf = (error: WireroomError) => error.details.retry_after ?? Number.POSITIVE_INFINITY;
  return errors.reduce<WireroomError | null>(
    (longest, error) => (longest === null || waitOf(error) > waitOf(longest) ? error : longest),
    null,
  );
}

function secondsUntil(time: number, at: number): number {
  return Math.max(Math.ceil((time - at) / 1_000), 0);
}

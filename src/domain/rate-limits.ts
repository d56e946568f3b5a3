/** Exact sliding windows over what is stored (decisions, section 4). */
import { WireroomError } from "../contract/errors.js";
import { type LimitName, type LimitSettings, type LimitState, RATE_LIMITS } from "../contract/limits.js";

/** What has been used of a limit within its window. */
interface Usage {
  used: number;
  /** When the oldest one was made; null with none. */
  oldestAt: number | null;
}

/**
 * Where limits stand.
 * @param usage what is stored, in the order of `names`
 * @param added how many more were accepted at `at` and are not stored yet
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

/** @param oldestAt when the oldest one in the window was made; null with none */
function limitState(
  name: LimitName,
  limit: number | null,
  used: number,
  oldestAt: number | null,
  at: number,
): LimitState {
  if (limit === null) return { name, limit, remaining: null, window: null, reset: null };
  const { window } = RATE_LIMITS[name];
  const reset = window === null ? null : oldestAt === null ? 0 : secondsUntil(oldestAt + window * 1_000, at);
  return { name, limit, remaining: Math.max(limit - used, 0), window, reset };
}

/**
 * The refusal of a limit that is used up.
 * @param leavesAt when the one was made whose leaving the window lets the next pass; undefined where nothing ever will
 */
export function limitExceeded(
  name: LimitName,
  limit: number,
  leavesAt: number | undefined,
  at: number,
): WireroomError {
  const { window, counts, subject } = RATE_LIMITS[name];
  const quota = `${limit} ${counts} per ${subject}`;
  if (window === null || leavesAt === undefined) {
    const message =
      window === null
        ? `the quota of ${quota} is used up; waiting does not help`
        : `no ${counts} are allowed (${name}=${limit})`;
    return new WireroomError("RATE_LIMITED", message);
  }
  const retry_after = Math.max(secondsUntil(leavesAt + window * 1_000, at), 1);
  return new WireroomError(
    "RATE_LIMITED",
    `the limit ${name} of ${quota} in ${window} seconds is used up; try again in ${retry_after} s`,
    { retry_after },
  );
}

/** Of several refusals the one that lasts longest; one without an end lasts longest of all. */
export function worstRefusal(refusals: readonly WireroomError[]): WireroomError | null {
  const lasting = (refusal: WireroomError) => refusal.details.retry_after ?? Number.POSITIVE_INFINITY;
  return refusals.reduce<WireroomError | null>(
    (worst, refusal) => (worst === null || lasting(refusal) > lasting(worst) ? refusal : worst),
    null,
  );
}

function secondsUntil(time: number, at: number): number {
  return Math.max(Math.ceil((time - at) / 1_000), 0);
}

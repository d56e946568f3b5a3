/** Hooks for relative times such as `5 min ago`. A timer runs only if a visible time is going to change. */
import { useEffect, useState } from "react";
import { monotonicMs, now } from "../../clock.js";
import { relativeChangesAfter } from "../../output/units.js";

/** Maximum delay that `setTimeout` accepts, about 24 days. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Returns the current time in milliseconds since 1970. The component renders again when the relative text of
 * a time changes.
 * @param times the visible times, RFC 3339
 */
export function useNow(times: readonly string[]): number {
  const time = now();
  useTimer(
    Math.min(LONGEST_DELAY_MS, ...times.map((each) => relativeChangesAfter(each, time))),
    times.length > 0,
  );
  return time;
}

/**
 * Returns the seconds since a time of the monotonic clock, updated every second. Returns undefined if there
 * is no time.
 */
export function useSecondsSince(since: number | undefined): number | undefined {
  useTimer(1_000, since !== undefined);
  return since === undefined ? undefined : (monotonicMs() - since) / 1_000;
}

/** Renders the component again after a delay, if `isActive` is true. */
function useTimer(delayMs: number, isActive: boolean): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(() => setTurn((turn) => turn + 1), delayMs);
    return () => clearTimeout(timer);
  });
}

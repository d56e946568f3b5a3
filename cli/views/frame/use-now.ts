/** Hooks for texts that change over time, such as `5 min ago`. */
import { useEffect, useState } from "react";
import { monotonicMs, now } from "../../clock.js";

/** Returns the current time in milliseconds since 1970, updated every second. */
export function useNow(): number {
  useTick(true);
  return now();
}

/** Returns the seconds since a monotonic time. Returns undefined if `since` is undefined. */
export function useSecondsSince(since: number | undefined): number | undefined {
  useTick(since !== undefined);
  return since === undefined ? undefined : (monotonicMs() - since) / 1_000;
}

/** Renders the component again every second. Ink writes nothing if no text has changed. */
function useTick(isActive: boolean): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 1_000);
    return () => clearInterval(timer);
  }, [isActive]);
}

/** Reads new items by long polling. */

import { whenBack } from "./connection.js";

const WAIT_SECONDS = 45;
/**
 * Maximum number of a browser's tabs that hold a long poll at the same time. Further tabs poll at intervals
 * instead, because a browser opens only six connections to a server without TLS.
 */
const HOLDING_TABS = 3;
const ASK_MS = 15_000;
/** Delay before a retry. It doubles after each failed request, up to `MAX_RETRY_MS`. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** If a long poll ends within this time with nothing new, the daemon is shutting down. */
const TOO_SOON_MS = 1_000;

/**
 * Reads new items until `ended` aborts, while the tab is visible.
 * @param readOn reads new items, or waits for them for up to `wait` seconds; returns whether it found any
 * @param onState called after each request with its error, or with undefined after a successful request
 * @param isForAllTabs whether the tab reads for all of the browser's tabs, so also while it is hidden
 */
export async function follow(
  readOn: (wait: number, signal: AbortSignal) => Promise<boolean>,
  onState: (problem: unknown) => void,
  ended: AbortSignal,
  isForAllTabs = false,
): Promise<void> {
  let retryMs = RETRY_MS;
  while (!ended.aborted) {
    const visible = new AbortController();
    const onChange = () => visible.abort();
    if (!isForAllTabs) document.addEventListener("visibilitychange", onChange);
    const signal = AbortSignal.any([ended, visible.signal]);
    try {
      if (!isForAllTabs && document.visibilityState === "hidden")
        await pause(Number.POSITIVE_INFINITY, signal);
      const startMs = performance.now();
      const [hasNew, waitSeconds] = await readWithTabLimit(
        async (wait) => [await readOn(wait, signal), wait] as const,
        isForAllTabs,
      );
      onState(undefined);
      retryMs = RETRY_MS;
      if (hasNew) continue;
      if (waitSeconds === 0) await pause(ASK_MS, signal);
      else if (performance.now() - startMs < TOO_SOON_MS) await pause(RETRY_MS, signal);
    } catch (error) {
      if (signal.aborted) continue;
      onState(error);
      const back = new AbortController();
      const cancel = whenBack(() => back.abort());
      await pause(retryMs, AbortSignal.any([signal, back.signal]));
      cancel();
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    } finally {
      document.removeEventListener("visibilitychange", onChange);
    }
  }
}

/** If other tabs already hold `HOLDING_TABS` long polls, `read` may not wait. */
async function readWithTabLimit<Result>(
  read: (wait: number) => Promise<Result>,
  isForAllTabs: boolean,
  turn = 0,
): Promise<Result> {
  if (isForAllTabs) return read(WAIT_SECONDS);
  if (turn === HOLDING_TABS) return read(0);
  const options = { ifAvailable: true };
  return navigator.locks.request(`wireroom-following-${turn}`, options, (lock) =>
    lock ? read(WAIT_SECONDS) : readWithTabLimit(read, isForAllTabs, turn + 1),
  );
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

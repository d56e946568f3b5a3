/** Follows what a view shows by requests that the daemon holds, while the tab is visible. */

/** A request is held this long. */
const WAIT_SECONDS = 45;
/**
 * Tabs of one browser that hold a request at the same time. Without TLS a browser opens at most six
 * connections to a server, and the approvals take one. A further visible tab asks from time to time.
 */
const HOLDING_TABS = 3;
const ASK_MS = 15_000;
/** Pause after a failed request. It doubles up to the longest one. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** A response without anything new that comes so soon is from a daemon that stops. */
const TOO_SOON_MS = 1_000;

/**
 * Reads on until the signal aborts.
 * @param readOn reads what is new, and waits for the given number of seconds if nothing is; returns whether
 *   there was something
 * @param onState called with why the last request failed, or with undefined if it did not
 */
export async function follow(
  readOn: (wait: number, signal: AbortSignal) => Promise<boolean>,
  onState: (problem: unknown) => void,
  ended: AbortSignal,
): Promise<void> {
  let retryMs = RETRY_MS;
  while (!ended.aborted) {
    const visible = new AbortController();
    const onChange = () => visible.abort();
    document.addEventListener("visibilitychange", onChange);
    const signal = AbortSignal.any([ended, visible.signal]);
    try {
      if (document.visibilityState === "hidden") await pause(Number.POSITIVE_INFINITY, signal);
      const startMs = performance.now();
      const [hasNew, waitSeconds] = await inTurn(async (wait) => [await readOn(wait, signal), wait] as const);
      onState(undefined);
      retryMs = RETRY_MS;
      if (hasNew) continue;
      if (waitSeconds === 0) await pause(ASK_MS, signal);
      else if (performance.now() - startMs < TOO_SOON_MS) await pause(RETRY_MS, signal);
    } catch (error) {
      if (signal.aborted) continue;
      onState(error);
      await pause(retryMs, signal);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    } finally {
      document.removeEventListener("visibilitychange", onChange);
    }
  }
}

/** Calls `read` with the seconds for which it may be held: 0 if enough other tabs hold requests. */
async function inTurn<Result>(read: (wait: number) => Promise<Result>, turn = 0): Promise<Result> {
  if (turn === HOLDING_TABS) return read(0);
  const options = { ifAvailable: true };
  return navigator.locks.request(`wireroom-following-${turn}`, options, (lock) =>
    lock ? read(WAIT_SECONDS) : inTurn(read, turn + 1),
  );
}

/** Resolves after the time, and when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

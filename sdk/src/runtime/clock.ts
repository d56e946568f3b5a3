/** The only place of the SDK that reads time and randomness. */

/** Milliseconds of a clock that never goes back. */
export function monotonicMs(): number {
  return performance.now();
}

/** A new idempotency key. */
export function newKey(): string {
  return globalThis.crypto.randomUUID();
}

/** A random number from 0 (included) to `max` (not included). */
export function randomBelow(max: number): number {
  return Math.random() * max;
}

/** Longest delay that a timer of Node can hold. */
export const LONGEST_DELAY = 2 ** 31 - 1;

/** Waits; rejects with the signal's reason once it aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(end, Math.min(milliseconds, LONGEST_DELAY));
    signal?.addEventListener("abort", abort, { once: true });
    function end(): void {
      signal?.removeEventListener("abort", abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      reject(signal!.reason);
    }
  });
}

/** Time and randomness. No other file of the CLI reads the clock or generates random values. */
import { randomBytes } from "node:crypto";

export function now(): number {
  return Date.now();
}

/** Returns monotonic milliseconds for durations and deadlines, because the system clock can be changed. */
export function monotonicMs(): number {
  return performance.now();
}

export function randomHexName(): string {
  return randomBytes(8).toString("hex");
}

/** Returns a random integer from 0 to `end - 1`. */
export function randomBelow(end: number): number {
  return Math.floor(Math.random() * end);
}

/** Maximum delay of a Node timer in milliseconds. A longer delay would fire at once. */
const MAX_TIMER_DELAY_MS = 2 ** 31 - 1;

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, MAX_TIMER_DELAY_MS));
    signal?.addEventListener("abort", done, { once: true });
  });
}

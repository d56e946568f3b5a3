/** Time and randomness. No other module of the SDK reads the clock or generates random values. */
import { onAbort } from "./abort.js";

export function monotonicMs(): number {
  return performance.now();
}

/**
 * Returns the whole seconds until an HTTP date, at least 0. Returns undefined for any other text.
 * @param now the response's `Date` header, used because this machine's clock may be wrong
 */
export function secondsUntil(date: string, now = ""): number | undefined {
  const end = httpDate(date);
  return end === undefined
    ? undefined
    : Math.max(0, Math.ceil((end - (httpDate(now) ?? Date.now())) / 1_000));
}

function httpDate(text: string): number | undefined {
  const milliseconds = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Whole seconds since 1970, as in a JSON Web Token. */
export function epochSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** Does not call `crypto.randomUUID`, because browsers lack it on pages without TLS. */
export function randomName(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function randomBelow(max: number): number {
  return Math.random() * max;
}

/** The longest delay that a Node timer supports. */
export const MAX_TIMER_DELAY_MS = 2 ** 31 - 1;

/** Resolves after the delay. If the signal aborts, rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(end, Math.min(milliseconds, MAX_TIMER_DELAY_MS));
    const removeListener = onAbort(signal, () => {
      clearTimeout(timer);
      reject(signal!.reason);
    });
    function end(): void {
      removeListener();
      resolve();
    }
  });
}

/** If the signal aborts first, rejects with the signal's reason. */
export function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const removeListener = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(removeListener);
  });
}

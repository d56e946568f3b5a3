/** The only place of the CLI that reads time and randomness. */
import { randomBytes } from "node:crypto";

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

/** A name that nobody has used before: 16 hexadecimal digits. */
export function freshName(): string {
  return randomBytes(8).toString("hex");
}

/** A whole number from 0 up to, but without, `end`. */
export function randomBelow(end: number): number {
  return Math.floor(Math.random() * end);
}

/** Resolves after `milliseconds`, or at once when `signal` aborts: it never rejects. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done, { once: true });
  });
}

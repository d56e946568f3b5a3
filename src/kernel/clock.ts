/** The only module that reads the time. Times in the service are whole milliseconds since 1970 (UTC). */

let clock = Date.now;

/** Returns whole milliseconds since 1970, of the system clock or of the one that `setClock` has set. */
export function now(): number {
  return Math.floor(clock());
}

/** Returns milliseconds since 1970 of the system clock, even after `setClock`, for the log. */
export const systemTimeMs = Date.now;

/** Replaces the clock of `now`, so that processes share the clock of their database server. */
export function setClock(newClock: () => number): void {
  clock = newClock;
}

/** Returns nanoseconds of a monotonic clock that all threads share. Use it only to measure durations. */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}

/** Returns milliseconds of the monotonic clock. Use it only to measure durations. */
export function monotonicMs(): number {
  return Number(monotonicNs()) / 1e6;
}

/** Returns milliseconds since the start of the process, by the clock of its timers. */
export function uptimeMs(): number {
  return performance.now();
}

/** The last formatted time is cached, because rows that are stored in one transaction have the same time. */
let cached = { milliseconds: 0, iso: new Date(0).toISOString() };

/** Formats a time as `2026-01-02T03:04:05.678Z` (docs/specification/names.md#times). */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== cached.milliseconds) {
    cached = { milliseconds, iso: new Date(milliseconds).toISOString() };
  }
  return cached.iso;
}

/** Formats a time as `isoTime` does, but returns null for null. */
export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}

/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

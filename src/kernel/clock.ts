/** The only module that reads the time. Times in the service are whole milliseconds since 1970 (UTC). */

let clock = Date.now;

/**
 * Returns the time in whole milliseconds since 1970, from the system clock or from the clock set by
 * `setClock`.
 */
export function now(): number {
  return Math.floor(clock());
}

/** Returns the system clock's time in milliseconds since 1970, regardless of `setClock`. Used for logs. */
export const systemTimeMs = Date.now;

/** Replaces the clock that `now` reads, so that several processes can share their database server's clock. */
export function setClock(newClock: () => number): void {
  clock = newClock;
}

/** Returns milliseconds from the monotonic clock that all threads share. Use it only to measure durations. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Returns milliseconds since the process started, from the clock that Node's timers use. */
export function uptimeMs(): number {
  return performance.now();
}

/** Caches the last formatted time, because all rows of one transaction have the same time. */
let cached = { milliseconds: 0, iso: new Date(0).toISOString() };

/** Formats a time as `2026-01-02T03:04:05.678Z` (docs/specification/names.md#times). */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== cached.milliseconds) {
    cached = { milliseconds, iso: new Date(milliseconds).toISOString() };
  }
  return cached.iso;
}

export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}

/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The only place that reads the time. Times inside the service are whole milliseconds since 1970, UTC. */

let clock = Date.now;

/** Whole milliseconds since 1970 by the machine's clock, or by the one that `keepTimeBy` names. */
export function now(): number {
  return Math.floor(clock());
}

/** The same by the machine's clock alone: what a log of this machine says. */
export const machineTime = Date.now;

/** From here on the time is what `shared` says: that of a clock that several processes go by. */
export function keepTimeBy(shared: () => number): void {
  clock = shared;
}

/** Nanoseconds of a clock that never goes back; the same one in every thread. For durations alone. */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}

/** Milliseconds of that clock. */
export function monotonicMs(): number {
  return Number(monotonicNs()) / 1e6;
}

/** The last time that was written: what is stored together has the same. */
let last = { milliseconds: 0, iso: new Date(0).toISOString() };

/** `2026-01-02T03:04:05.678Z` (decisions, section 1). */
export function isoTime(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = { milliseconds, iso: new Date(milliseconds).toISOString() };
  return last.iso;
}

/** The same, where there may be no time. */
export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

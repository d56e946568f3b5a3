import type { Transaction } from "../engine/engine.js";

/** A rate limit: at most `count` events in any period of `window` milliseconds. */
export interface LimitInput {
  count: number;
  window: number;
}

/**
 * Counts an event, unless a limit is reached. Returns 0 if the event is allowed, otherwise the milliseconds until it is
 * allowed.
 * @param count whether to count the event; if false, only checks the limits
 */
export async function countThrottled(
  tx: Transaction,
  { id, limits }: { id: string; limits: readonly LimitInput[] },
  now: number,
  count = true,
): Promise<number> {
  await tx.lock("identity_throttles", "id", [id]);
  const kept = Math.max(...limits.map(({ window }) => window));
  const row = await tx.get<{ times: string }>("SELECT times FROM identity_throttles WHERE id = ?", [id]);
  // A time in the future comes from a clock that was ahead.
  const times = (JSON.parse(row?.times ?? "[]") as number[]).filter(
    (time) => time > now - kept && time <= now,
  );
  const wait = waitTimeMs(times, limits, now);
  if (wait === 0 && count) {
    times.push(now);
    await tx.run(
      `INSERT INTO identity_throttles (id, times, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET times = excluded.times, expires_at = excluded.expires_at`,
      [id, JSON.stringify(times), now + kept],
    );
  }
  return wait;
}

/** Returns the milliseconds until all limits allow another event. Returns 0 if they allow it now. */
function waitTimeMs(times: readonly number[], limits: readonly LimitInput[], now: number): number {
  const waits = limits.map(({ count, window }) => {
    const within = times.filter((time) => time > now - window);
    const freeing = within[within.length - count];
    return freeing === undefined ? 0 : freeing + window - now;
  });
  return Math.max(0, ...waits);
}

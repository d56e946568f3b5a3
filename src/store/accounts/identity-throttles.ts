/**
 * Limits how often an event may happen, such as a wrong password. Each row contains the times of the events
 * that count against one limit, for example for one e-mail address.
 */
import { DAY } from "../../kernel/clock.js";
import type { Transaction } from "../engine/engine.js";

/** A rate limit: at most `count` events in any period of `window` milliseconds. */
export interface Limit {
  count: number;
  window: number;
}

/**
 * Counts an event, unless a limit is reached. Returns 0 if the event is allowed, otherwise the milliseconds
 * until it is allowed.
 * @param count if false, only checks the limits
 */
export async function countThrottled(
  tx: Transaction,
  { id, limits }: { id: string; limits: readonly Limit[] },
  now: number,
  count = true,
): Promise<number> {
  await tx.lock("identity_throttles", "id", [id]);
  const kept = Math.max(...limits.map(({ window }) => window));
  const times = await keptTimes(tx, id, now - kept, now);
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

/**
 * Limits wrong codes for an address. Beyond the limit, only codes of 128 bits are accepted
 * (docs/specification/identity.md#codes).
 */
const WRONG_CODES_OF_ADDRESS: readonly Limit[] = [{ count: 20, window: DAY }];

export function wrongCodesKey(email: string): string {
  return `wrong-codes:${email}`;
}

export async function countWrongCode(tx: Transaction, email: string, now: number): Promise<void> {
  await countThrottled(tx, { id: wrongCodesKey(email), limits: WRONG_CODES_OF_ADDRESS }, now);
}

/** Returns the milliseconds until an address accepts short codes again; 0 if it accepts them now. */
export async function shortCodesWaitMs(
  session: Pick<Transaction, "get">,
  email: string,
  now: number,
): Promise<number> {
  return waitTimeMs(
    await keptTimes(session, wrongCodesKey(email), now - DAY, now),
    WRONG_CODES_OF_ADDRESS,
    now,
  );
}

async function keptTimes(
  session: Pick<Transaction, "get">,
  id: string,
  after: number,
  now: number,
): Promise<number[]> {
  const row = await session.get<{ times: string }>("SELECT times FROM identity_throttles WHERE id = ?", [id]);
  // Ignore times in the future, which were stored while the clock was ahead.
  return (JSON.parse(row?.times ?? "[]") as number[]).filter((time) => time > after && time <= now);
}

function waitTimeMs(times: readonly number[], limits: readonly Limit[], now: number): number {
  const waits = limits.map(({ count, window }) => {
    const within = times.filter((time) => time > now - window);
    const freeing = within[within.length - count];
    return freeing === undefined ? 0 : freeing + window - now;
  });
  return Math.max(0, ...waits);
}

/**
 * Corrects times in the future, which were stored before the clock was set back. Without the correction, rate
 * limits would count these rows for too long, and knocks, approvals, connections, access tokens and claims
 * would expire too late. A decision in the future would block the next knock, and keep an approved wire from
 * being deleted.
 */
import { DAY, HOUR, isoTime, MINUTE, now } from "../../kernel/clock.js";
import type { Engine, StoreLog, Transaction } from "../engine/engine.js";
import { KNOCK_LIFETIME_MS } from "../knocks.js";
import type { ClockGuard } from "../retention/clock-guard.js";
import { UNFINISHED } from "../wires/claims.js";

export class FutureRows {
  isPending = true;
  private hasWarned = false;

  constructor(
    private readonly engine: Pick<Engine, "write">,
    private readonly clock: ClockGuard,
    private readonly log: StoreLog,
  ) {}

  /**
   * Sets future times to the current time, but not while the clock may be far behind: that would overwrite
   * correct times, and retention would delete the rows once the clock is right.
   * @returns the number of corrected rows; undefined if the correction is still pending
   */
  async correct(): Promise<number | undefined> {
    const at = now();
    if (await this.clock.mayBeBehind(at)) {
      if (!this.hasWarned)
        this.log.warn(
          { clock: isoTime(at) },
          "the clock is days behind the last use of the store; later times are corrected in 45 minutes, unless it is set right",
        );
      this.hasWarned = true;
      return undefined;
    }
    this.hasWarned = false;
    // Clear the flag first, because the clock may be set back again during the write.
    this.isPending = false;
    try {
      return await this.engine.write((tx) => moveFutureRowsToNow(tx, now()));
    } catch (error) {
      this.isPending = true;
      throw error;
    }
  }
}

/**
 * A sender's wires keep their order, as `usage.ts` requires. A wire's JSON keeps the `created_at` that
 * readers have seen.
 * @returns the number of changed rows
 */
export async function moveFutureRowsToNow(tx: Transaction, at: number): Promise<number> {
  let changed = 0;
  for (const sql of [...UPDATES, SHORTEN_CLAIMS]) changed += (await tx.run(sql, [at])).changes;
  const tokens = await tx.all<{ handle: number }>(SHORTEN_TOKENS, [at]);
  // Every daemon's credential cache still has the old expiry times, and drops these handles on this event.
  for (const handle of new Set(tokens.map((token) => token.handle))) tx.publish({ topic: "status", handle });
  return changed + tokens.length;
}

/** Uses an index by handle, because an index by time alone would slow down every insert. */
const since = (time: string, table: string, handle: string) =>
  `SELECT t.pk FROM handles h JOIN ${table} t ON t.${handle} = h.pk AND t.created_at > ${time}`;

const ofHandles = (table: string, handle: string) =>
  `UPDATE ${table} SET created_at = ?1 WHERE pk IN (${since("?1", table, handle)})`;

const UPDATES = [
  ofHandles("wires", "sender"),
  ofHandles("knocks", "sender"),
  ofHandles("spaces", "creator"),
  ofHandles("schemas", "registrar"),
  ofHandles("mentions", "sender"),
  "UPDATE approvals SET created_at = ?1 WHERE created_at > ?1",
  "UPDATE approvals SET decided_at = ?1 WHERE decided_at > ?1",
  `UPDATE knocks SET decided_at = ?1 WHERE pk IN (${since(`CAST(?1 AS bigint) - ${KNOCK_LIFETIME_MS}`, "knocks", "sender")}) AND decided_at > ?1`,
  "UPDATE idempotency SET created_at = ?1 WHERE created_at > ?1",
  "UPDATE api_keys SET last_used_at = ?1 WHERE last_used_at > ?1",
  "UPDATE connections SET last_used_at = ?1 WHERE last_used_at > ?1",
  `UPDATE checkpoints SET pulled_at = CAST(?1 AS bigint) / ${MINUTE} * ${MINUTE} WHERE pulled_at > ?1`,
  "UPDATE connections SET issued_at = ?1 WHERE issued_at > ?1",
];

/** A claim lasts at most a day. */
const SHORTEN_CLAIMS = `UPDATE claims SET until = CAST(?1 AS bigint) + ${DAY}
  WHERE ${UNFINISHED} AND until > CAST(?1 AS bigint) + ${DAY}`;

/** A new token lives one hour. */
const SHORTEN_TOKENS = `UPDATE access_tokens SET expires_at = CAST(?1 AS bigint) + ${HOUR}
  WHERE expires_at > CAST(?1 AS bigint) + ${HOUR} RETURNING handle`;

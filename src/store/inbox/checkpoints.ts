/**
 * Stores the inboxes' checkpoints, the times at which they moved (docs/specification/sending.md#delivery),
 * and when handles last read their inboxes (docs/specification/sending.md#last-pull).
 */
import type { Delivery } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { BatchedWrite, Session, Transaction } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, RowsParameter, type Sql, sql } from "../engine/sql.js";
import type { WireRow } from "../wires/pages.js";
import { createdAtIn } from "../wires/wire-json.js";
import { INBOX_KIND } from "./notices.js";

const MOVES = new RowsParameter({ handle: "integer", seq: "integer", at: "integer" });
/** The last matching wire of inbox `i`. */
const LAST_WIRE = `i.kind = ${INBOX_KIND.wire} ORDER BY i.seq DESC LIMIT 1`;
/** Moves checkpoints, and stores delivery receipts for handles that have switched them on. */
const MOVE: Sql = {
  sqlite: `INSERT INTO moved_checkpoints (handle, seq, at) SELECT handle, seq, at FROM ${MOVES.table("moves").sqlite}`,
  postgres: `
    WITH moves AS (
      SELECT m.handle, m.seq, m.at, coalesce(c.seq, 0) AS before
      FROM ${MOVES.table("m").postgres} LEFT JOIN checkpoints c ON c.handle = m.handle
    ), moved AS (
      INSERT INTO checkpoints (handle, seq) SELECT handle, seq FROM moves
      ON CONFLICT (handle) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > checkpoints.seq)
    INSERT INTO receipts (handle, wire, at) SELECT m.handle, last.ref, m.at
    FROM moves m JOIN handles h ON h.pk = m.handle AND h.delivery_receipts = 1 CROSS JOIN LATERAL (
      SELECT i.ref FROM inbox i WHERE i.handle = m.handle AND i.seq > m.before AND i.seq <= m.seq AND ${LAST_WIRE}) last
    ON CONFLICT DO NOTHING`,
};

export interface CheckpointMove {
  handle: number;
  seq: number;
  at: number;
}

/** A checkpoint never moves back (docs/specification/reading.md#inbox). */
export const moveCheckpoints: BatchedWrite<CheckpointMove, undefined> = {
  async run(tx, moves) {
    const latest = new Map<number, CheckpointMove>();
    for (const move of moves) {
      if (move.seq > (latest.get(move.handle)?.seq ?? 0)) latest.set(move.handle, move);
    }
    // The order prevents deadlocks between daemons that move the same checkpoints.
    const sorted = [...latest.values()].sort((one, other) => one.handle - other.handle);
    tx.enqueue(MOVE, [MOVES.bind(sorted.map(({ handle, seq, at }) => [handle, seq, at]))]);
    return moves.map(() => undefined);
  },
};

const PULLS = new RowsParameter({ handle: "integer", at: "integer" });
/** Never replaces a later time. */
const SAVE_PULLS = sql`INSERT INTO checkpoints (handle, seq, pulled_at)
    SELECT handle, 0, at FROM ${PULLS.table("pulls")} WHERE true
    ON CONFLICT (handle) DO UPDATE SET pulled_at = excluded.pulled_at
    WHERE checkpoints.pulled_at IS NULL OR checkpoints.pulled_at < excluded.pulled_at`;

/** Stores when handles last began to read their inboxes. */
export async function savePulls(
  tx: Transaction,
  pulls: readonly (readonly [handle: number, at: number])[],
): Promise<void> {
  // The order prevents deadlocks, as in `moveCheckpoints`.
  await tx.run(SAVE_PULLS, [PULLS.bind(pulls.toSorted(([one], [other]) => one - other))]);
}

export async function lastPull(session: Session, handle: number): Promise<number | null> {
  const row = await session.get<{ at: number | null }>(
    "SELECT pulled_at AS at FROM checkpoints WHERE handle = ?",
    [handle],
  );
  return row?.at ?? null;
}

/** Wires that were read while receipts were off remain unread for their senders. */
export async function setDeliveryReceipts(tx: Transaction, handle: number, isOn: boolean): Promise<void> {
  await tx.run("UPDATE handles SET delivery_receipts = ? WHERE pk = ?", [Number(isOn), handle]);
  if (!isOn) return;
  await tx.run(
    `INSERT INTO receipts (handle, wire, at) SELECT i.handle, i.ref, NULL
     FROM checkpoints c JOIN inbox i ON i.handle = c.handle AND i.seq <= c.seq WHERE c.handle = ? AND ${LAST_WIRE}
     ON CONFLICT DO NOTHING`,
    [handle],
  );
}

/**
 * SQL for the time at which the recipient acknowledged wire `w`. Null if the wire is not acknowledged yet, or
 * if the recipient has switched receipts off.
 */
const READ_AT = `(SELECT r.at FROM receipts r JOIN handles h ON h.pk = r.handle AND h.delivery_receipts = 1
  WHERE r.handle = w.recipient AND r.wire >= w.pk ORDER BY r.wire LIMIT 1)`;

/** SQL for whether wire `w` is a direct message in this state. */
export const HAS_DELIVERY: Readonly<Record<Delivery["state"], string>> = {
  queued: `w.recipient IS NOT NULL AND w.removed_at IS NULL AND ${READ_AT} IS NULL`,
  read: `w.recipient IS NOT NULL AND w.removed_at IS NULL AND ${READ_AT} IS NOT NULL`,
  removed: "w.recipient IS NOT NULL AND w.removed_at IS NOT NULL",
};

const DELIVERIES = sql`SELECT w.pk, w.removed_at AS "removedAt", ${READ_AT} AS "readAt"
    FROM ${NUMBERED_INTEGERS.table("wanted")} JOIN wires w ON w.pk = wanted.value WHERE w.recipient IS NOT NULL`;

/** Returns the delivery of each direct message among these wires, by primary key. */
export async function deliveriesOf(
  session: Session,
  wires: readonly Pick<WireRow, "pk" | "doc">[],
): Promise<Map<number, Delivery>> {
  const rows = await session.all<{ pk: number; removedAt: number | null; readAt: number | null }>(
    DELIVERIES,
    [numberedIntegers(wires.map(({ pk }) => pk))],
  );
  const docs = new Map(wires.map(({ pk, doc }) => [pk, doc]));
  return new Map(
    rows.map(({ pk, removedAt, readAt }): [number, Delivery] => {
      if (removedAt !== null) return [pk, { state: "removed", at: isoTime(removedAt) }];
      if (readAt !== null) return [pk, { state: "read", at: isoTime(readAt) }];
      return [pk, { state: "queued", at: createdAtIn(docs.get(pk)!) }];
    }),
  );
}

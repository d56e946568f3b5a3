/**
 * Stores the inboxes' checkpoints and the times at which they moved (docs/specification/sending.md#delivery).
 */
import type { Delivery } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import type { BatchedWrite, Session, Transaction } from "../engine/engine.js";
import { RowsParameter, type Sql } from "../engine/sql.js";
import { INBOX_KIND } from "./inbox.js";

const MOVES = new RowsParameter({ handle: "integer", seq: "integer", at: "integer" });
/** The last matching wire of inbox `i`. */
const LAST_WIRE = `i.kind = ${INBOX_KIND.wire} ORDER BY i.seq DESC LIMIT 1`;
/** Also stores delivery receipts for handles that have them switched on. */
const MOVE: Sql = {
  sqlite: `INSERT INTO moved_checkpoints (handle, seq, at) SELECT handle, seq, at FROM ${MOVES.table("sqlite", "moves")}`,
  postgres: `
    WITH moves AS (
      SELECT m.handle, m.seq, m.at, coalesce(c.seq, 0) AS before
      FROM ${MOVES.table("postgres", "m")} LEFT JOIN checkpoints c ON c.handle = m.handle
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

interface SentWire {
  pk: number;
  recipient: number;
  createdAt: string;
  tombstone: { at: string } | null;
}

const RECEIPT = `SELECT (SELECT r.at FROM receipts r WHERE r.handle = h.pk AND r.wire >= ? ORDER BY r.wire LIMIT 1) AS at
  FROM handles h WHERE h.pk = ? AND h.delivery_receipts = 1`;

/** If the recipient has switched receipts off, the state remains `queued`. */
export async function deliveryOf(
  session: Session,
  { pk, recipient, createdAt, tombstone }: SentWire,
): Promise<Delivery> {
  if (tombstone) return { state: "removed", at: tombstone.at };
  const receipt = await session.get<{ at: number | null }>(RECEIPT, [pk, recipient]);
  const at = receipt?.at ?? null;
  return at === null ? { state: "queued", at: createdAt } : { state: "read", at: isoTime(at) };
}

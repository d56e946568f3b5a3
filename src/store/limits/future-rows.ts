/**
 * Corrects rows whose time is in the future, which were stored before the clock was set back. Otherwise, rate limits would
 * count them until the clock has caught up, and knocks and approvals would expire that much later.
 */
import type { Transaction } from "../engine/engine.js";

/**
 * Replaces future times of rows that count against a limit or expire. Times of a sender's wires stay in the order of their
 * numbers, which {@link file://./usage.ts} needs. The wires themselves keep the `created_at` that their readers have seen.
 * @returns the number of changed rows
 */
export async function moveFutureRowsToNow(tx: Transaction, at: number): Promise<number> {
  let changed = 0;
  for (const sql of UPDATES) changed += (await tx.run(sql, [at, at])).changes;
  return changed;
}

/** Finds the future rows of each handle by an index, because an index by time alone would slow down every insert. */
const ofHandles = (table: string, handle: string) =>
  `UPDATE ${table} SET created_at = ? WHERE pk IN (
     SELECT t.pk FROM handles h JOIN ${table} t ON t.${handle} = h.pk AND t.created_at > ?)`;

const UPDATES = [
  ofHandles("wires", "sender"),
  ofHandles("knocks", "sender"),
  ofHandles("spaces", "creator"),
  ofHandles("schemas", "registrar"),
  "UPDATE approvals SET created_at = ? WHERE created_at > ?",
  "UPDATE idempotency SET created_at = ? WHERE created_at > ?",
];

/** Deletes some of the oldest wires that retention hides, with all rows that belong to them. */

import type { Session, Transaction } from "../engine/engine.js";
import { LAST_DELETED_MESSAGE, storeMark } from "../engine/meta.js";
import { Procedure } from "../engine/procedure.js";
import type { Sql } from "../engine/sql.js";
import { INBOX_KIND, NOTICE } from "../inbox/notices.js";
import { hasWire } from "../wires/threads.js";

/** Selects the wires to delete, in one space or in the whole database. */
export interface Deletion {
  /** Null for the whole database. */
  space: number | null;
  days: number;
  until: number;
  floor: number;
}

/** The wires of one step, with primary keys above `after` and up to `last`. */
export interface OldestWires {
  after: number;
  last: number;
  count: number;
  newestAt: number;
}

const summaryOf = (oldest: string) =>
  `SELECT min(pk) - 1 AS after, max(pk) AS last, count(*) AS count, max(created_at) AS newest_at FROM (${oldest}) oldest`;
/** The lower bound lets PostgreSQL skip index entries of rows deleted since the last vacuum. */
const OLDEST = summaryOf(
  `SELECT pk, created_at FROM wires WHERE pk > greatest(?, ${LAST_DELETED_MESSAGE}) AND pk <= ? ORDER BY pk LIMIT ?`,
);
const OLDEST_WIRES: Sql = { sqlite: OLDEST.replace("greatest", "max"), postgres: OLDEST };
const OLDEST_OF_SPACE = summaryOf(
  "SELECT pk, created_at FROM wires WHERE space = ? AND pk > ? AND pk <= ? ORDER BY pk LIMIT ?",
);

/** Returns undefined if there are none after the key `after`. */
export async function findOldestWires(
  session: Session,
  { space, floor }: Deletion,
  after: number,
  limit: number,
): Promise<OldestWires | undefined> {
  const range = [after, floor, limit];
  const found = await session.get<{ after: number; last: number | null; count: number; newest_at: number }>(
    space === null ? OLDEST_WIRES : OLDEST_OF_SPACE,
    space === null ? range : [space, ...range],
  );
  if (!found || found.last === null) return undefined;
  return { after: found.after, last: found.last, count: found.count, newestAt: found.newest_at };
}

/** Another daemon may have deleted the wires already. */
export function enqueueDeletion(tx: Transaction, space: number | null, wires: OldestWires): void {
  const { after, last, newestAt: newest } = wires;
  if (space === null) DELETE_WIRES.enqueue(tx, { after, last, newest });
  else DELETE_WIRES_OF_SPACE.enqueue(tx, { space, after, last, newest });
}

/** Must be called once per engine before {@link enqueueDeletion}. */
export async function defineDeletion(tx: Transaction): Promise<void> {
  await DELETE_WIRES.define(tx);
  await DELETE_WIRES_OF_SPACE.define(tx);
}

/** @param found the SQL condition for the wires `w` to delete */
function statementsFor(found: string) {
  const foundWires = (column: string) => `(SELECT w.${column} FROM wires w WHERE ${found})`;
  return [
    `DELETE FROM wires_fts WHERE rowid IN ${foundWires("pk")}`,
    `DELETE FROM votes WHERE wire IN ${foundWires("pk")}`,
    `DELETE FROM claims WHERE wire IN ${foundWires("pk")}`,
    // Keep the newest approval, so that its primary key is never reused.
    `DELETE FROM approvals WHERE ref IN ${foundWires("id")} AND doc IS NULL AND pk < (SELECT max(pk) FROM approvals)`,
    // While a thread has wires, keep the id of its deleted first wire, because it is the thread's id.
    `INSERT INTO thread_roots (thread, id) SELECT w.pk, w.id FROM wires w
      WHERE ${found} AND w.thread = w.pk AND ${hasWire("w.pk", "r.pk > :last")}`,
    `DELETE FROM thread_roots WHERE thread IN ${foundWires("thread")}
      AND NOT ${hasWire("thread_roots.thread", "r.pk > :last")}`,
    `DELETE FROM wires WHERE pk IN ${foundWires("pk")}`,
    storeMark("wires", ":last"),
    storeMark("until", ":newest"),
  ];
}

const RECIPIENTS =
  "(SELECT DISTINCT w.recipient AS handle FROM wires w WHERE w.pk > :after AND w.pk <= :last AND w.recipient IS NOT NULL) q";

const DELETE_WIRES = new Procedure(
  "delete_wires",
  ["after", "last", "newest"],
  [
    // Inbox items are in the order of their wires. Keep the newest item, so that its number is never reused.
    `DELETE FROM inbox WHERE (handle, seq) IN (
    SELECT i.handle, i.seq FROM ${RECIPIENTS} JOIN inbox i ON i.handle = q.handle AND i.seq < coalesce(
      (SELECT x.seq FROM inbox x WHERE x.handle = q.handle AND x.kind = ${INBOX_KIND.wire} AND x.ref > :last ORDER BY x.seq LIMIT 1),
      (SELECT max(x.seq) FROM inbox x WHERE x.handle = q.handle))
    WHERE i.kind <> ${INBOX_KIND.knock} AND coalesce(i.notice, 0) <> ${NOTICE.approval} AND abs(i.ref) <= :last)`,
    `DELETE FROM receipts WHERE (handle, wire) IN (
    SELECT r.handle, r.wire FROM ${RECIPIENTS} JOIN receipts r ON r.handle = q.handle AND r.wire <= :last)`,
    ...statementsFor("w.pk > :after AND w.pk <= :last"),
    storeMark("messages", ":last"),
  ],
);

const DELETE_WIRES_OF_SPACE = new Procedure(
  "delete_wires_of_space",
  ["space", "after", "last", "newest"],
  statementsFor("w.space = :space AND w.pk > :after AND w.pk <= :last"),
);

/** Deletes some of the oldest wires that retention hides, with everything that belongs to them. */
import type { Session, Transaction } from "../engine/engine.js";
import {
  NUMBERED_INTEGERS,
  numberedIntegers,
  perEngine,
  RowsParameter,
  type Sql,
  TEXTS,
  texts,
} from "../engine/sql.js";
import { INBOX_KIND } from "../inbox/inbox.js";
import { enqueueMark, LAST_DELETED_MESSAGE } from "./deleted-wires.js";

/** Wires to delete: those of one space, or all wires. */
export interface Deletion {
  /** Primary key of the space; null for all wires. */
  space: number | null;
  /** Age in days from which they are deleted. */
  days: number;
  /** Primary key up to which wires are deleted. */
  floor: number;
}

interface OldWire {
  pk: number;
  id: string;
  space: number | null;
  recipient: number | null;
  thread: number;
  created_at: number;
}

const COLUMNS = "pk, id, space, recipient, thread, created_at";
/** The lower bound spares PostgreSQL the index entries of rows that were deleted since the last vacuum. */
const OLDEST = `SELECT ${COLUMNS} FROM wires WHERE pk > greatest(?, ${LAST_DELETED_MESSAGE}) AND pk <= ? ORDER BY pk LIMIT ?`;
const OLDEST_WIRES: Sql = { sqlite: OLDEST.replace("greatest", "max"), postgres: OLDEST };
const OLDEST_OF_SPACE = `SELECT ${COLUMNS} FROM wires WHERE space = ? AND pk > ? AND pk <= ? ORDER BY pk LIMIT ?`;

/** Deletes up to `limit` wires after the primary key `after`. Returns undefined if there are no more. */
export async function deleteOldestWires(
  tx: Transaction,
  { space, floor }: Deletion,
  after: number,
  limit: number,
): Promise<{ last: number; newestAt: number; count: number } | undefined> {
  const wires =
    space === null
      ? await tx.all<OldWire>(OLDEST_WIRES, [after, floor, limit])
      : await tx.all<OldWire>(OLDEST_OF_SPACE, [space, after, floor, limit]);
  const last = wires.at(-1)?.pk;
  if (last === undefined) return undefined;
  const pks = numberedIntegers(wires.map(({ pk }) => pk));
  const inSpaces = wires.filter((wire) => wire.space !== null);
  if (inSpaces.length > 0) {
    tx.enqueue(DELETE_TERMS, [numberedIntegers(inSpaces.map(({ pk }) => pk))]);
    tx.enqueue(DELETE_VOTES, [pks]);
  }
  if (space === null) enqueueInboxDeletion(tx, wires);
  tx.enqueue(DELETE_APPROVALS, [texts(wires.map(({ id }) => id))]);
  tx.enqueue(DELETE_WIRES, [pks]);
  enqueueThreadRoots(tx, wires);
  enqueueMark(tx, "wires", last);
  if (space === null) enqueueMark(tx, "messages", last);
  const newestAt = Math.max(...wires.map((wire) => wire.created_at));
  enqueueMark(tx, "until", newestAt);
  return { last, newestAt, count: wires.length };
}

const oneOf = (engine: Session["engine"]) => `(SELECT value FROM ${NUMBERED_INTEGERS.table(engine, "gone")})`;
const DELETE_TERMS = perEngine((engine) => `DELETE FROM wires_fts WHERE rowid IN ${oneOf(engine)}`);
const DELETE_VOTES = perEngine((engine) => `DELETE FROM votes WHERE wire IN ${oneOf(engine)}`);
const DELETE_WIRES = perEngine((engine) => `DELETE FROM wires WHERE pk IN ${oneOf(engine)}`);
/** Deletes the approvals of sent wires. The newest approval stays, because its primary key must not be used again. */
const DELETE_APPROVALS = perEngine(
  (engine) => `DELETE FROM approvals WHERE ref IN (SELECT value FROM ${TEXTS.table(engine, "gone")})
    AND doc IS NULL AND pk < (SELECT max(pk) FROM approvals)`,
);

const INBOXES = new RowsParameter({ handle: "integer", last: "integer" });

/**
 * Deletes the items of wires up to `last`, which are at the start of an inbox. The wires of an inbox are in the order of their
 * primary keys. The newest item stays, because its number must not be used again.
 */
const DELETE_ITEMS = perEngine(
  (engine) => `DELETE FROM inbox WHERE (handle, seq) IN (
    SELECT i.handle, i.seq FROM ${INBOXES.materialisedTable(engine, "q")} JOIN inbox i ON i.handle = q.handle AND i.seq < coalesce(
      (SELECT x.seq FROM inbox x WHERE x.handle = q.handle AND x.kind = ${INBOX_KIND.wire} AND x.ref > q.last ORDER BY x.seq LIMIT 1),
      (SELECT max(x.seq) FROM inbox x WHERE x.handle = q.handle))
    WHERE i.kind <> ${INBOX_KIND.knock} AND i.ref <= q.last)`,
);
const DELETE_RECEIPTS = perEngine(
  (engine) => `DELETE FROM receipts WHERE (handle, wire) IN (
    SELECT r.handle, r.wire FROM ${INBOXES.materialisedTable(engine, "q")} JOIN receipts r ON r.handle = q.handle AND r.wire <= q.last)`,
);

/** @param wires the oldest wires that are left */
function enqueueInboxDeletion(tx: Transaction, wires: readonly OldWire[]): void {
  const last = wires.at(-1)!.pk;
  const recipients = new Set(wires.flatMap(({ recipient }) => (recipient === null ? [] : recipient)));
  if (recipients.size === 0) return;
  const inboxes = INBOXES.bind([...recipients].sort((a, b) => a - b).map((handle) => [handle, last]));
  tx.enqueue(DELETE_ITEMS, [inboxes]);
  tx.enqueue(DELETE_RECEIPTS, [inboxes]);
}

const ROOTS = new RowsParameter({ pk: "integer", id: "text" });
const INSERT_ROOTS = perEngine(
  (engine) => `INSERT INTO thread_roots (thread, id) SELECT q.pk, q.id FROM ${ROOTS.table(engine, "q")}
    WHERE EXISTS (SELECT 1 FROM wires w WHERE w.thread = q.pk)`,
);
const DELETE_ROOTS = perEngine(
  (engine) => `DELETE FROM thread_roots WHERE thread IN ${oneOf(engine)}
    AND NOT EXISTS (SELECT 1 FROM wires w WHERE w.thread = thread_roots.thread)`,
);

/** Keeps the ids of threads of which wires are left, so that these ids still name them. */
function enqueueThreadRoots(tx: Transaction, wires: readonly OldWire[]): void {
  const roots = wires.filter(({ pk, thread }) => pk === thread);
  const threads = wires.flatMap(({ pk, thread }) => (pk === thread ? [] : thread));
  if (roots.length > 0) tx.enqueue(INSERT_ROOTS, [ROOTS.bind(roots.map(({ pk, id }) => [pk, id]))]);
  if (threads.length > 0) tx.enqueue(DELETE_ROOTS, [numberedIntegers([...new Set(threads)])]);
}

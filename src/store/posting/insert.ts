/** Stores new wires, with their inbox items and search terms. */

import type { Transaction } from "../engine/engine.js";
import { LAST_DELETED_WIRE } from "../engine/meta.js";
import { RowsParameter, sql } from "../engine/sql.js";
import { enqueueTerms, wireTerms } from "../fulltext/index.js";
import { INBOX_KIND, NOTICE } from "../inbox/notices.js";

/** A row of the table `wires`, and the data that is stored with it in other tables. */
export interface NewWire {
  id: string;
  sender: number;
  /** The wire's number among its sender's wires. */
  sender_no: number;
  recipient: number | null;
  space: number | null;
  /** Primary key of the thread's first wire; null if this wire starts a thread. */
  thread: number | null;
  reply_to: number | null;
  /** The features that the parent's reply rule allows; see `WireRow`. */
  parent_votable: number | null;
  /** The posting rule for replies, as JSON. */
  reply_rule: string | null;
  /** The time that rate limits use. A wire that was held for approval keeps the time when it was held. */
  created_at: number;
  doc: string;
  /** Null for a wire in a space. */
  inbox_seq: number | null;
  /** Notices of a wire in a space, with the numbers that they get in the handles' inboxes. */
  notices: { handle: number; seq: number; reason: "mention" | "reply" }[];
  /** For full-text search. Null if the wire is not indexed now; see `MessageIndexing`. */
  terms: string | null;
}

const COLUMNS = {
  id: "text",
  sender: "integer",
  sender_no: "integer",
  recipient: "integer",
  space: "integer",
  thread: "integer",
  reply_to: "integer",
  parent_votable: "integer",
  reply_rule: "text",
  created_at: "integer",
  doc: "text",
} as const;

/**
 * On SQLite, one INSERT into the view `new_wires` stores wires, inbox items and search terms. Primary keys of
 * deleted wires are never reused, because cursors contain them.
 */
const POSTS = new RowsParameter({ n: "integer", ...COLUMNS, inbox_seq: "integer", terms: "text" });
const POST_COLUMNS = POSTS.columnNames.slice(1);
const INSERT_POSTS = `INSERT INTO new_wires (pk, ${POST_COLUMNS.join(", ")})
  SELECT last.pk + p.n, ${POST_COLUMNS.map((name) => (name === "thread" ? "coalesce(p.thread, last.pk + p.n)" : `p.${name}`)).join(", ")}
  FROM (SELECT max((SELECT coalesce(max(pk), 0) FROM wires), ${LAST_DELETED_WIRE}) AS pk LIMIT 1) last
  CROSS JOIN ${POSTS.table("p").sqlite}`;

/** On PostgreSQL, wires, inbox items and search terms take one statement each, in one round trip. */
const WIRES = new RowsParameter({ pk: "integer", ...COLUMNS });
const WIRE_COLUMNS = WIRES.columnNames.join(", ");
const INSERT_WIRES = `INSERT INTO wires (${WIRE_COLUMNS}) SELECT ${WIRE_COLUMNS} FROM ${WIRES.table("new_wires").postgres}`;
const ITEMS = new RowsParameter({ handle: "integer", seq: "integer", ref: "integer" });
const INSERT_ITEMS = `INSERT INTO inbox (handle, seq, kind, ref)
  SELECT handle, seq, ${INBOX_KIND.wire}, ref FROM ${ITEMS.table("new_items").postgres}`;

/** The caller holds the space's lock, so keys within a space increase in commit order. */
const ALLOCATE_PKS = "SELECT nextval('wires_pk_seq') AS pk FROM generate_series(1, ?::integer)";

const NOTICES = new RowsParameter({ handle: "integer", seq: "integer", wire: "text", notice: "integer" });
const INSERT_NOTICES = sql`INSERT INTO inbox (handle, seq, kind, ref, notice)
  SELECT n.handle, n.seq, ${INBOX_KIND.notice}, -w.pk, n.notice FROM ${NOTICES.table("n")} JOIN wires w ON w.id = n.wire`;

export async function insertWires(tx: Transaction, wires: readonly NewWire[]): Promise<void> {
  if (wires.length === 0) return;
  publish(tx, wires);
  await enqueueWires(tx, wires);
  const notices = wires.flatMap(({ id, notices }) =>
    notices.map(({ handle, seq, reason }) => [handle, seq, id, NOTICE[reason]]),
  );
  if (notices.length > 0) tx.enqueue(INSERT_NOTICES, [NOTICES.bind(notices)]);
}

async function enqueueWires(tx: Transaction, wires: readonly NewWire[]): Promise<void> {
  const termsOf = (wire: NewWire) => (wire.terms === null ? null : wireTerms(wire, wire.terms));
  if (tx.engine === "sqlite") {
    const rows = wires.map((wire, index) => ({ ...wire, n: index + 1, terms: termsOf(wire) }));
    return tx.enqueue(INSERT_POSTS, [POSTS.bindObjects(rows)]);
  }
  const pks = await tx.all<{ pk: number }>(ALLOCATE_PKS, [wires.length]);
  const rows = wires.map((wire, n) => ({ ...wire, pk: pks[n]!.pk, thread: wire.thread ?? pks[n]!.pk }));
  tx.enqueue(INSERT_WIRES, [WIRES.bindObjects(rows)]);
  const items = rows.filter(({ recipient }) => recipient !== null);
  if (items.length > 0) {
    const cells = items.map(({ recipient, inbox_seq, pk }) => ({
      handle: recipient,
      seq: inbox_seq,
      ref: pk,
    }));
    tx.enqueue(INSERT_ITEMS, [ITEMS.bindObjects(cells)]);
  }
  const documents = rows.flatMap((row) => {
    const terms = termsOf(row);
    return terms === null ? [] : [[row.pk, terms] as const];
  });
  if (documents.length > 0) enqueueTerms(tx, "wires_fts", documents);
}

function publish(tx: Transaction, wires: readonly NewWire[]): void {
  for (const { sender, recipient, space, thread, inbox_seq, notices, doc } of wires) {
    for (const { handle } of notices) tx.publish({ topic: "inbox", handle });
    const ofThread = thread === null ? {} : { thread };
    if (recipient !== null) {
      const reply = thread === null ? {} : { thread, sender };
      tx.publish({ topic: "inbox", handle: recipient, ...reply, wire: { seq: inbox_seq!, doc } });
    }
    if (space !== null) tx.publish({ topic: "feed", space, isNewWire: true, ...ofThread });
  }
}

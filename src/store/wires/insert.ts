/** Storing accepted posts, a whole batch at once. */
import type { PostingRule } from "../../contract/shapes.js";
import type { Transaction } from "../engine/engine.js";
import { type Cell, RowsOf, type Sql, written } from "../engine/sql.js";
import { enqueueTerms, indexText } from "../fulltext/index.js";
import { INBOX_KIND } from "../inbox/inbox.js";

/** A wire that is to be stored. */
export interface NewWire {
  id: string;
  sender: number;
  senderNo: number;
  recipient: number | null;
  space: number | null;
  /** pk of the thread's root; null where it is the root itself. */
  thread: number | null;
  replyTo: number | null;
  parentVotable: boolean | null;
  replyRule: PostingRule | null;
  /** When it was handed in: for one that was held that is before it was sent. */
  countedAt: number;
  /** The Wire as JSON, without vote_count. */
  doc: string;
  /** What full-text search finds it by. */
  searchText: string;
  /** Number in the recipient's inbox log. */
  inboxSeq: number | null;
}

const WIRES = new RowsOf({
  pk: "integer",
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
});
const WIRE_COLUMNS = WIRES.names.join(", ");
const INSERT_WIRES = written(
  (engine) =>
    `INSERT INTO wires (${WIRE_COLUMNS}) SELECT ${WIRE_COLUMNS} FROM ${WIRES.as(engine, "new_wires")}`,
);

const ITEMS = new RowsOf({ handle: "integer", seq: "integer", ref: "integer" });
const INSERT_ITEMS = written(
  (engine) => `
  INSERT INTO inbox (handle, seq, kind, ref)
  SELECT handle, seq, ${INBOX_KIND.wire}, ref FROM ${ITEMS.as(engine, "new_items")}`,
);

/**
 * Numbers for new wires. The locks of their posts are held, so in a space numbers grow with the commits. With one writer, what is
 * free stays free until it is taken.
 */
const TAKE_PKS: Sql = {
  sqlite: `WITH RECURSIVE taken (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM taken WHERE n < ?)
    SELECT n + (SELECT coalesce(max(pk), 0) FROM wires) AS pk FROM taken`,
  postgres: "SELECT nextval('wires_pk_seq') AS pk FROM generate_series(1, ?::integer)",
};

/** Stores wires, their index entries and their inbox items when the transaction ends, and announces them. */
export async function insertWires(tx: Transaction, wires: readonly NewWire[]): Promise<void> {
  if (wires.length === 0) return;
  const pks = (await tx.all<{ pk: number }>(TAKE_PKS, [wires.length])).map(({ pk }) => pk);
  const rows = wires.map((w, n) => [
    pks[n]!,
    w.id,
    w.sender,
    w.senderNo,
    w.recipient,
    w.space,
    w.thread ?? pks[n]!,
    w.replyTo,
    w.parentVotable === null ? null : Number(w.parentVotable),
    w.replyRule && JSON.stringify(w.replyRule),
    w.countedAt,
    w.doc,
  ]);
  tx.enqueue(INSERT_WIRES, [WIRES.bind(rows)]);
  const items: Cell[][] = [];
  const documents: [pk: number, terms: string][] = [];
  for (const [n, { recipient, space, inboxSeq, doc, searchText }] of wires.entries()) {
    if (recipient !== null) {
      items.push([recipient, inboxSeq, pks[n]!]);
      tx.publish({ topic: "inbox", handle: recipient, wire: { seq: inboxSeq!, doc } });
    }
    if (space !== null) {
      documents.push([pks[n]!, indexText(String(space), searchText)]);
      tx.publish({ topic: "feed", space });
    }
  }
  if (items.length > 0) tx.enqueue(INSERT_ITEMS, [ITEMS.bind(items)]);
  if (documents.length > 0) enqueueTerms(tx, "wires_fts", documents);
}

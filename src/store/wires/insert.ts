/** Storing accepted posts, a whole batch at once. */
import type { PostingRule } from "../../contract/shapes.js";
import type { Transaction } from "../engine/engine.js";
import { RowsOf } from "../engine/sql.js";
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

const WIRE = {
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
} as const;

/** A wire, its place in the recipient's inbox, and its search terms: SQLite's view stores them in one statement. */
const POSTS = new RowsOf({ ...WIRE, inbox_seq: "integer", terms: "text" });
const POST_COLUMNS = POSTS.names.join(", ");
const INSERT_POSTS = `INSERT INTO new_wires (${POST_COLUMNS}) SELECT ${POST_COLUMNS} FROM ${POSTS.as("sqlite", "given")}`;

/** The same for PostgreSQL, in up to three statements of one round trip. */
const WIRES = new RowsOf(WIRE);
const WIRE_COLUMNS = WIRES.names.join(", ");
const INSERT_WIRES = `INSERT INTO wires (${WIRE_COLUMNS}) SELECT ${WIRE_COLUMNS} FROM ${WIRES.as("postgres", "new_wires")}`;
const ITEMS = new RowsOf({ handle: "integer", seq: "integer", ref: "integer" });
const INSERT_ITEMS = `INSERT INTO inbox (handle, seq, kind, ref)
  SELECT handle, seq, ${INBOX_KIND.wire}, ref FROM ${ITEMS.as("postgres", "new_items")}`;

const TAKE_PKS = "SELECT nextval('wires_pk_seq') AS pk FROM generate_series(1, ?::integer)";

/** Numbers for new wires. The locks of their posts are held, so in a space numbers grow with the commits. */
async function takePks(tx: Transaction, count: number, nextPk: number | undefined): Promise<number[]> {
  if (nextPk !== undefined) return Array.from({ length: count }, (_, n) => nextPk + n);
  return (await tx.all<{ pk: number }>(TAKE_PKS, [count])).map(({ pk }) => pk);
}

/**
 * Stores wires, their index entries and their inbox items when the transaction ends, and announces them.
 * @param nextPk the number of the first, where it is known
 */
export async function insertWires(
  tx: Transaction,
  wires: readonly NewWire[],
  nextPk: number | undefined,
): Promise<void> {
  if (wires.length === 0) return;
  const pks = await takePks(tx, wires.length, nextPk);
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
  const terms = wires.map((w) => (w.space === null ? null : indexText(String(w.space), w.searchText)));
  for (const { recipient, space, inboxSeq, doc } of wires) {
    if (recipient !== null) tx.publish({ topic: "inbox", handle: recipient, wire: { seq: inboxSeq!, doc } });
    if (space !== null) tx.publish({ topic: "feed", space });
  }
  if (tx.engine === "sqlite") {
    const given = rows.map((row, n) => [...row, wires[n]!.inboxSeq, terms[n]!]);
    return tx.enqueue(INSERT_POSTS, [POSTS.bind(given)]);
  }
  tx.enqueue(INSERT_WIRES, [WIRES.bind(rows)]);
  const items = wires.flatMap((w, n) => (w.recipient === null ? [] : [[w.recipient, w.inboxSeq, pks[n]!]]));
  if (items.length > 0) tx.enqueue(INSERT_ITEMS, [ITEMS.bind(items)]);
  const documents = terms.flatMap((found, n) => (found === null ? [] : [[pks[n]!, found] as const]));
  if (documents.length > 0) enqueueTerms(tx, "wires_fts", documents);
}

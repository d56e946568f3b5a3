/** Stores a batch of accepted posts. */
import type { PostingRule } from "../../contract/shapes.js";
import type { Transaction } from "../engine/engine.js";
import { RowsParameter } from "../engine/sql.js";
import { enqueueTerms, inScope } from "../fulltext/index.js";
import { INBOX_KIND } from "../inbox/inbox.js";

export interface NewWire {
  id: string;
  sender: number;
  senderNo: number;
  recipient: number | null;
  space: number | null;
  /** Primary key of the first wire of the thread. Null if this wire starts a thread. */
  thread: number | null;
  replyTo: number | null;
  parentVotable: boolean | null;
  replyRule: PostingRule | null;
  /**
   * Time at which rate limits count the wire. For a wire that was held for approval, it is the time when it
   * was held.
   */
  countedAt: number;
  /** The Wire as JSON, without vote_count. */
  doc: string;
  /** The terms that are indexed for full-text search if the wire is in a space. */
  terms: string;
  /** Sequence number in the recipient's inbox. Null for a wire in a space. */
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

/** On SQLite, one INSERT into the view `new_wires` stores wires, inbox items and search terms. */
const POSTS = new RowsParameter({ ...WIRE, inbox_seq: "integer", terms: "text" });
const POST_COLUMNS = POSTS.columnNames.join(", ");
const INSERT_POSTS = `INSERT INTO new_wires (${POST_COLUMNS}) SELECT ${POST_COLUMNS} FROM ${POSTS.table("sqlite", "new_posts")}`;

/** On PostgreSQL, up to three statements insert wires, inbox items and search terms in one round trip. */
const WIRES = new RowsParameter(WIRE);
const WIRE_COLUMNS = WIRES.columnNames.join(", ");
const INSERT_WIRES = `INSERT INTO wires (${WIRE_COLUMNS}) SELECT ${WIRE_COLUMNS} FROM ${WIRES.table("postgres", "new_wires")}`;
const ITEMS = new RowsParameter({ handle: "integer", seq: "integer", ref: "integer" });
const INSERT_ITEMS = `INSERT INTO inbox (handle, seq, kind, ref)
  SELECT handle, seq, ${INBOX_KIND.wire}, ref FROM ${ITEMS.table("postgres", "new_items")}`;

const ALLOCATE_PKS = "SELECT nextval('wires_pk_seq') AS pk FROM generate_series(1, ?::integer)";

/**
 * Returns primary keys for new wires. The caller has locked the space, so the keys within a space increase in
 * commit order.
 */
async function allocatePks(tx: Transaction, count: number, nextPk: number | undefined): Promise<number[]> {
  if (nextPk !== undefined) return Array.from({ length: count }, (_, n) => nextPk + n);
  return (await tx.all<{ pk: number }>(ALLOCATE_PKS, [count])).map(({ pk }) => pk);
}

/**
 * Queues the statements that store wires, inbox items and search terms, and publishes their events.
 * @param nextPk primary key of the first wire on SQLite; undefined on PostgreSQL, which uses a sequence
 */
export async function insertWires(
  tx: Transaction,
  wires: readonly NewWire[],
  nextPk: number | undefined,
): Promise<void> {
  if (wires.length === 0) return;
  const pks = await allocatePks(tx, wires.length, nextPk);
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
  const terms = wires.map((w) => (w.space === null ? null : inScope(String(w.space), w.terms)));
  for (const { sender, recipient, space, thread, inboxSeq, doc } of wires) {
    const ofThread = thread === null ? {} : { thread };
    if (recipient !== null) {
      const reply = thread === null ? {} : { thread, sender };
      tx.publish({ topic: "inbox", handle: recipient, ...reply, wire: { seq: inboxSeq!, doc } });
    }
    if (space !== null) tx.publish({ topic: "feed", space, isNewWire: true, ...ofThread });
  }
  if (tx.engine === "sqlite") {
    const posts = rows.map((row, n) => [...row, wires[n]!.inboxSeq, terms[n]!]);
    return tx.enqueue(INSERT_POSTS, [POSTS.bind(posts)]);
  }
  tx.enqueue(INSERT_WIRES, [WIRES.bind(rows)]);
  const items = wires.flatMap((w, n) => (w.recipient === null ? [] : [[w.recipient, w.inboxSeq, pks[n]!]]));
  if (items.length > 0) tx.enqueue(INSERT_ITEMS, [ITEMS.bind(items)]);
  const documents = terms.flatMap((found, n) => (found === null ? [] : [[pks[n]!, found] as const]));
  if (documents.length > 0) enqueueTerms(tx, "wires_fts", documents);
}

/** Storing accepted posts, a whole batch at once. */
import type { PostingRule } from "../contract/shapes.js";
import type { Transaction } from "./engine.js";
import { enqueueTerms, indexText } from "./fulltext/index.js";
import { RowsOf } from "./sql.js";

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
  doc: "long",
} as const;
const WIRES = new RowsOf(WIRE);
const WIRE_COLUMNS = Object.keys(WIRE).join(", ");
const INSERT_WIRES = `INSERT INTO wires (${WIRE_COLUMNS}) SELECT ${WIRE_COLUMNS} FROM ${WIRES.as("postgres", "new_wires")}`;

const ITEMS = new RowsOf({ handle: "integer", seq: "integer", ref: "integer" });
const INSERT_ITEMS = `
  INSERT INTO inbox (handle, seq, kind, ref) SELECT handle, seq, 1, ref FROM ${ITEMS.as("postgres", "new_items")}`;

/** The view through which SQLite stores a wire, its inbox item and its index entry in one statement. */
const NEW_WIRES = new RowsOf({ ...WIRE, inbox_seq: "integer", terms: "long" });
const NEW_WIRE_COLUMNS = `${WIRE_COLUMNS}, inbox_seq, terms`;
const INSERT_NEW_WIRES = `
  INSERT INTO new_wires (${NEW_WIRE_COLUMNS}) SELECT ${NEW_WIRE_COLUMNS} FROM ${NEW_WIRES.as("sqlite", "given")}`;

const TAKE_PKS = "SELECT nextval('wires_pk_seq') AS pk FROM generate_series(1, ?::integer)";

/** Numbers for new wires. The locks of their posts are held, so in a space numbers grow with the commits. */
async function takePks(tx: Transaction, count: number, nextPk: number | null): Promise<number[]> {
  if (nextPk !== null) return Array.from({ length: count }, (_, n) => nextPk + n);
  return (await tx.all<{ pk: number }>(TAKE_PKS, [count])).map(({ pk }) => pk);
}

/**
 * Stores wires, their index entries and their inbox items when the transaction ends, and announces them.
 * @param nextPk the number of the first, where it is known
 */
export async function insertWires(
  tx: Transaction,
  wires: readonly NewWire[],
  nextPk: number | null,
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
    if (recipient !== null) tx.announce({ topic: "inbox", handle: recipient, wire: { seq: inboxSeq!, doc } });
    if (space !== null) tx.announce({ topic: "feed", space });
  }
  if (tx.engine === "sqlite") {
    const given = rows.map((row, n) => [...row, wires[n]!.inboxSeq, terms[n]!]);
    return tx.enqueue(INSERT_NEW_WIRES, [NEW_WIRES.bind(given)]);
  }
  tx.enqueue(INSERT_WIRES, [WIRES.bind(rows)]);
  enqueueTerms(
    tx,
    "wires_fts",
    terms.flatMap((found, n) => (found === null ? [] : [[pks[n]!, found] as const])),
  );
  const items = wires.flatMap((w, n) => (w.recipient === null ? [] : [[w.recipient, w.inboxSeq, pks[n]!]]));
  if (items.length > 0) tx.enqueue(INSERT_ITEMS, [ITEMS.bind(items)]);
}

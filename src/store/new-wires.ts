/** Storing accepted posts: a few statements for a whole batch. */
import type { PostingRule } from "../contract/shapes.js";
import type { Transaction } from "./engine.js";
import { indexText, storeTerms } from "./fulltext/index.js";
import { RowsOf, written } from "./sql.js";
import { together } from "./together.js";

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

const NEW_WIRES = new RowsOf({
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
const WIRE_COLUMNS =
  "pk, id, sender, sender_no, recipient, space, thread, reply_to, parent_votable, reply_rule, created_at, doc";
const INSERT_WIRES = written(
  (engine) =>
    `INSERT INTO wires (${WIRE_COLUMNS}) SELECT ${WIRE_COLUMNS} FROM ${NEW_WIRES.as(engine, "new_wires")}`,
);

const NEW_ITEMS = new RowsOf({ handle: "integer", seq: "integer", ref: "integer" });
const INSERT_ITEMS = written(
  (engine) => `
  INSERT INTO inbox (handle, seq, kind, ref) SELECT handle, seq, 1, ref FROM ${NEW_ITEMS.as(engine, "new_items")}`,
);

const TAKE_PKS = "SELECT nextval('wires_pk_seq') AS pk FROM generate_series(1, ?::integer)";

/**
 * Numbers for new wires. They are free, or are taken, under the locks of `loadPostFacts`, so in a space they grow with the commits.
 * @param free the first that is free, and all after it; null where numbers have to be taken
 */
async function nextPks(tx: Transaction, count: number, free: number | null): Promise<number[]> {
  if (free !== null) return Array.from({ length: count }, (_, n) => free + n);
  return (await tx.all<{ pk: number }>(TAKE_PKS, [count])).map(({ pk }) => pk);
}

/** Stores wires, their index entries and their inbox items: four statements at most, however many wires. */
export async function insertWires(
  tx: Transaction,
  wires: readonly NewWire[],
  freePk: number | null,
): Promise<void> {
  if (wires.length === 0) return;
  const pks = await nextPks(tx, wires.length, freePk);
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
  const terms = wires.flatMap((w, n) =>
    w.space === null ? [] : [[pks[n]!, indexText(String(w.space), w.searchText)] as const],
  );
  const items = wires.flatMap((w, n) => (w.recipient === null ? [] : [[w.recipient, w.inboxSeq, pks[n]!]]));
  await together([
    tx.run(INSERT_WIRES, [NEW_WIRES.bind(rows)]),
    storeTerms(tx, "wires_fts", terms),
    items.length > 0 ? tx.run(INSERT_ITEMS, [NEW_ITEMS.bind(items)]) : undefined,
  ]);
  for (const { recipient } of wires) {
    if (recipient !== null) tx.announce({ topic: "inbox", handle: recipient });
  }
}

/**
 * The append-only log of each handle. Its numbers are dense and taken in the transaction that appends, so the order of
 * numbers is the order of commits, a cursor can skip nothing, and a page is a range.
 */

import type { Static } from "typebox";
import type { TombstoneNotice } from "../contract/inbox.js";
import type { BatchedRead, BatchedWrite, Transaction } from "./engine.js";
import { KNOCK_SELECT, type KnockRow, type StoredKnock, toKnock } from "./knocks.js";
import { NUMBERS, numbered, RowsOf, written } from "./sql.js";

export const INBOX_KIND = { wire: 1, knock: 2, notice: 3 } as const;
export type InboxKind = keyof typeof INBOX_KIND;

/** Appends an item. @param ref pk of the wire or knock. Those who append to several inboxes lock them all before. */
export async function appendToInbox(
  tx: Transaction,
  handle: number,
  kind: InboxKind,
  ref: number,
): Promise<void> {
  await tx.lock("handles", "pk", [handle]);
  await tx.run(
    `INSERT INTO inbox (handle, seq, kind, ref)
     VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM inbox WHERE handle = ?1), ?2, ?3)`,
    [handle, INBOX_KIND[kind], ref],
  );
  tx.announce({ topic: "inbox", handle });
}

export interface InboxQuery {
  handle: number;
  /** Read after this number; null means the stored checkpoint. */
  after: number | null;
  limit: number;
  /** Time as of which knocks are read. */
  at: number;
}

export interface InboxPage {
  /** Ready-made JSON of DM wires. */
  wires: string[];
  knocks: StoredKnock["resource"][];
  notices: Static<typeof TombstoneNotice>[];
  /** Where the reading started, where it ended, and the stored checkpoint. */
  from: number;
  to: number;
  checkpoint: number;
}

interface ItemRow {
  i: number;
  from: number;
  checkpoint: number;
  seq: number | null;
  kind: number | null;
  ref: number;
  doc: string | null;
}

const QUERIES = new RowsOf({ i: "integer", handle: "integer", after: "integer", n: "integer" });
const PAGES = written(
  (engine) => `
  SELECT q.i, q."from", q.checkpoint, x.seq, x.kind, x.ref,
    CASE WHEN x.kind <> ${INBOX_KIND.knock} THEN (SELECT doc FROM wires WHERE pk = x.ref) END AS doc
  FROM (
    SELECT j.i, j.handle, coalesce(j."after", c.seq, 0) AS "from", j.n, coalesce(c.seq, 0) AS checkpoint
    FROM ${QUERIES.as(engine, "j")} LEFT JOIN checkpoints c ON c.handle = j.handle
  ) q LEFT JOIN inbox x ON x.handle = q.handle AND x.seq > q."from" AND x.seq <= q."from" + q.n
  ORDER BY q.i, x.seq`,
);
const KNOCKS = written(
  (engine) => `${KNOCK_SELECT} WHERE k.pk IN (SELECT value FROM ${NUMBERS.as(engine, "wanted")})`,
);

/** Pages of many inboxes in one statement. */
export const inboxPages: BatchedRead<InboxQuery, InboxPage> = {
  async run(session, queries) {
    const rows = await session.all<ItemRow>(PAGES, [
      QUERIES.bind(queries.map((query, i) => [i, query.handle, query.after, query.limit])),
    ]);
    const pages: InboxPage[] = [];
    const knocks: { page: InboxPage; ref: number; at: number }[] = [];
    for (const row of rows) {
      let page = pages[row.i];
      if (!page) {
        page = {
          wires: [],
          knocks: [],
          notices: [],
          from: row.from,
          to: row.from,
          checkpoint: row.checkpoint,
        };
        pages[row.i] = page;
      }
      if (row.seq === null) continue;
      page.to = row.seq;
      if (row.kind === INBOX_KIND.wire) page.wires.push(row.doc!);
      else if (row.kind === INBOX_KIND.notice) page.notices.push(toNotice(row.doc!));
      else knocks.push({ page, ref: row.ref, at: queries[row.i]!.at });
    }
    if (knocks.length > 0) {
      const found = await session.all<KnockRow>(KNOCKS, [numbered(knocks.map((knock) => knock.ref))]);
      const byPk = new Map(found.map((row) => [row.pk, row]));
      for (const { page, ref, at } of knocks) page.knocks.push(toKnock(byPk.get(ref)!, at).resource);
    }
    return pages;
  },
};

function toNotice(doc: string): Static<typeof TombstoneNotice> {
  const wire = JSON.parse(doc) as {
    id: string;
    thread_id: string;
    tombstone: { removed_by: Static<typeof TombstoneNotice>["removed_by"]; at: string };
  };
  return {
    wire_id: wire.id,
    thread_id: wire.thread_id,
    removed_by: wire.tombstone.removed_by,
    removed_at: wire.tombstone.at,
  };
}

const MOVES = new RowsOf({ handle: "integer", seq: "integer" });
const MOVE = written(
  (engine) => `
  INSERT INTO checkpoints (handle, seq) SELECT handle, seq FROM ${MOVES.as(engine, "moves")} WHERE true
  ON CONFLICT (handle) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > checkpoints.seq`,
);

/** Moves checkpoints forward, never back (decisions, section 5). */
export const moveCheckpoints: BatchedWrite<{ handle: number; seq: number }, undefined> = {
  async run(tx, moves) {
    const latest = new Map<number, number>();
    for (const { handle, seq } of moves) latest.set(handle, Math.max(seq, latest.get(handle) ?? 0));
    // In a fixed order, as other daemons move them too.
    const sorted = [...latest].sort(([one], [other]) => one - other);
    await tx.run(MOVE, [MOVES.bind(sorted)]);
    return moves.map(() => undefined);
  },
};

/**
 * The append-only log of each handle. Its numbers are dense and taken in the transaction that appends, so the order of
 * numbers is the order of commits, a cursor can skip nothing, and a page is a range.
 */

import type { Static } from "typebox";
import type { TombstoneNotice } from "../../contract/operations/inbox.js";
import type { BatchedRead, BatchedWrite, Transaction } from "../engine/engine.js";
import { type LongText, longText } from "../engine/long-text.js";
import { NUMBERS, numbered, RowsOf, written } from "../engine/sql.js";
import { KNOCK_SELECT, type KnockRow, type StoredKnock, toKnock } from "../knocks.js";

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
  tx.publish({ topic: "inbox", handle });
}

export interface InboxQuery {
  handle: number;
  /** Read after this number; null means the stored checkpoint. */
  after: number | null;
  limit: number;
  /** Whether the wires are wanted within a JSON text, too. */
  quoted: boolean;
  /** Time as of which knocks are read. */
  at: number;
}

export interface InboxPage {
  /** Ready-made JSON: an array of DM wires. */
  wires: LongText;
  /** The same as it stands within a JSON text; where it was asked for, and SQLite could write it beside the event loop. */
  quotedWires: Buffer | undefined;
  knocks: StoredKnock["resource"][];
  notices: Static<typeof TombstoneNotice>[];
  /** Where the reading started, where it ended, and the stored checkpoint. */
  from: number;
  to: number;
  checkpoint: number;
}

interface PageRow {
  i: number;
  from: number;
  checkpoint: number;
  to: number | null;
  wires: LongText;
  quoted: Buffer | null;
  /** Kind, ref and, of a notice, the wire. */
  others: string | null;
}

const QUERIES = new RowsOf({
  i: "integer",
  handle: "integer",
  after: "integer",
  n: "integer",
  quoted: "integer",
});

/** All but wires: kind, ref and, of a notice, the wire. Empty where there is none. */
const OTHERS = {
  sqlite: "json_group_array(json_array(kind, ref, doc))",
  postgres: "json_agg(json_build_array(kind, ref, doc))",
};

/** SQLite does it in a third of the time that the event loop would take. */
const QUOTED = {
  sqlite: "CASE WHEN quoted = 1 THEN CAST(json_quote(wires) AS BLOB) END",
  postgres: "NULL",
};
/** What keeps SQLite from working out the wires once for each time that they are named. */
const UNFLATTENED = { sqlite: "LIMIT -1", postgres: "" };

/**
 * One row a page, as the driver makes an object of each row on the event loop, column by column: that alone took ten times
 * as long for fifty wires as joining their JSON here, beside the event loop. What is joined comes from a sorted subquery, which
 * spares sorting copies of it.
 */
const PAGES = written((engine) => {
  const items = `FROM inbox x LEFT JOIN wires w ON w.pk = x.ref AND x.kind <> ${INBOX_KIND.knock}
    WHERE x.handle = q.handle AND x.seq > q."from" AND x.seq <= q."from" + q.n`;
  const isWire = `x.kind = ${INBOX_KIND.wire}`;
  const pages = `
  SELECT q.i, q."from", q.checkpoint, q.quoted, (SELECT max(x.seq) ${items}) AS "to",
    concat('[', (SELECT string_agg(doc, ',') FROM (SELECT w.doc ${items} AND ${isWire} ORDER BY x.seq) wire), ']') AS wires,
    (SELECT ${OTHERS[engine]} FROM (SELECT x.kind, x.ref, w.doc ${items} AND NOT ${isWire} ORDER BY x.seq) other) AS others
  FROM (
    SELECT j.i, j.handle, coalesce(j."after", c.seq, 0) AS "from", j.n, j.quoted, coalesce(c.seq, 0) AS checkpoint
    FROM ${QUERIES.asRead(engine, "j")} LEFT JOIN checkpoints c ON c.handle = j.handle
  ) q`;
  return `SELECT i, "from", checkpoint, "to", others, ${longText(engine, "wires")} AS wires, ${QUOTED[engine]} AS quoted
    FROM (${pages} ${UNFLATTENED[engine]}) page`;
});
const KNOCKS = written(
  (engine) => `${KNOCK_SELECT} WHERE k.pk IN (SELECT value FROM ${NUMBERS.as(engine, "wanted")})`,
);

/** Pages of many inboxes in one statement. */
export const inboxPages: BatchedRead<InboxQuery, InboxPage> = {
  async run(session, queries) {
    const rows = await session.all<PageRow>(PAGES, [
      QUERIES.bind(
        queries.map((query, i) => [i, query.handle, query.after, query.limit, Number(query.quoted)]),
      ),
    ]);
    const pages: InboxPage[] = [];
    const knocks: { page: InboxPage; ref: number; at: number }[] = [];
    for (const { i, from, checkpoint, to, wires, quoted, others } of rows) {
      const page: InboxPage = {
        wires,
        // Without its quotation marks.
        quotedWires: quoted?.subarray(1, -1),
        knocks: [],
        notices: [],
        from,
        to: to ?? from,
        checkpoint,
      };
      pages[i] = page;
      for (const [kind, ref, doc] of JSON.parse(others ?? "[]") as [number, number, string][]) {
        if (kind === INBOX_KIND.notice) page.notices.push(toNotice(doc));
        else knocks.push({ page, ref, at: queries[i]!.at });
      }
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
    tx.enqueue(MOVE, [MOVES.bind(sorted)]);
    return moves.map(() => undefined);
  },
};

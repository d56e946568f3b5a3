/**
 * Stores inboxes. Each handle has an append-only log of items. Sequence numbers are assigned under a lock that is held until
 * the commit. So their order is the order of commits, and a cursor never skips an item. They have gaps only where retention has
 * deleted wires. The newest item of an inbox is never deleted, so that its number is not used again.
 */
import type { Static } from "typebox";
import type { TombstoneNotice } from "../../contract/operations/inbox.js";
import { countFitting } from "../../contract/page-size.js";
import type { BatchedRead, Engine, Session, Transaction } from "../engine/engine.js";
import { type LargeText, largeTextExpression } from "../engine/large-text.js";
import { NUMBERED_INTEGERS, numberedIntegers, perEngine, RowsParameter, type Sql } from "../engine/sql.js";
import { KNOCK_SELECT, type KnockRow, type StoredKnock, toKnock } from "../knocks.js";
import { type FloorTable, floorIn, floorParameters, notHidden } from "../retention/floors.js";
import { batchedDocs, type Shorten, SMALL_DOC, wiresByPk, withDocs } from "../wires/pages.js";

export const INBOX_KIND = { wire: 1, knock: 2, notice: 3 } as const;
export type InboxKind = keyof typeof INBOX_KIND;

/**
 * Appends an item to the inbox of a handle. To append to several inboxes, first lock all their handles in one call.
 * @param ref primary key of the wire or knock
 */
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
  /** Sequence number after which the page starts. Null means the stored checkpoint. */
  after: number | null;
  /** Shortens the wires of a large page, so that only one of them is in memory. */
  shorten?: Shorten | undefined;
  /** Wires that retention hides. */
  floors: FloorTable;
  /** Current time, used to check whether a pending knock (a contact request) has expired. */
  at: number;
}

export interface InboxPage {
  /** The wires as a JSON array. */
  wires: LargeText;
  knocks: StoredKnock["resource"][];
  notices: Static<typeof TombstoneNotice>[];
  /** The page contains the items after sequence number `from`, up to and including `to`. */
  from: number;
  to: number;
  checkpoint: number;
  /** Whether the wires were already shortened, as those of a large page. */
  isBrief: boolean;
  /** Sequence number of the last item of the inbox, even if it is hidden; 0 if the inbox is empty. */
  head: number;
}

/** A page of a batched read. Its wires are null if they are too large for such a read: see {@link largeInboxPage}. */
interface BatchedInboxPage extends Omit<InboxPage, "wires">, Pick<PageRow, "wires"> {
  /** The `ref` of each notice. Notices of hidden wires are in the inbox, but not on the page. */
  noticeRefs: number[];
}

interface PageRow {
  i: number;
  from: number;
  checkpoint: number;
  to: number | null;
  head: number | null;
  wires: LargeText | null;
  /** The contact requests (knocks) and notices of removed wires on the page, as a JSON array of [kind, ref, doc, retain_days]. */
  others: string | null;
}

const QUERIES = new RowsParameter({
  i: "integer",
  handle: "integer",
  after: "integer",
  floor: "integer",
});

/**
 * Collects knocks and tombstone notices in a JSON array. `doc` is the JSON of the removed wire, or null for a knock, and
 * `retain_days` is that of the wire's space.
 */
const OTHERS = {
  sqlite: "json_group_array(json_array(kind, ref, doc, retain_days))",
  postgres: "json_agg(json_build_array(kind, ref, doc, retain_days))",
};

/** Prevents the engine from flattening a subquery and computing its columns again for each use. */
const NO_FLATTENING = { sqlite: "LIMIT -1", postgres: "OFFSET 0" };

/** SQL condition for the items `x` of an inbox between two sequence numbers, without wires up to the floor. */
const visibleItems = (handle: string, from: string, floor: string) =>
  `x.handle = ${handle} AND x.seq > ${from} AND (x.kind <> ${INBOX_KIND.wire} OR x.ref > ${floor})`;

/**
 * Returns one row per page, because row objects for fifty wires took ten times as long on the event loop. The JSON texts are
 * joined from a sorted subquery, so that the database does not sort copies of them.
 */
const pages = (limit: number) =>
  perEngine((engine) => {
    const fence = NO_FLATTENING[engine];
    const ends = `
  SELECT q.*, (SELECT max(seq) FROM inbox WHERE handle = q.handle) AS head,
    (SELECT max(seq) FROM (SELECT x.seq FROM inbox x WHERE ${visibleItems("q.handle", 'q."from"', "q.floor")}
      ORDER BY x.seq LIMIT ${limit}) items) AS "to"
  FROM (
    SELECT j.i, j.handle, j.floor, coalesce(j."after", c.seq, 0) AS "from", coalesce(c.seq, 0) AS checkpoint
    FROM ${QUERIES.materialisedTable(engine, "j")} LEFT JOIN checkpoints c ON c.handle = j.handle
  ) q ${fence}`;
    const items = `FROM inbox x LEFT JOIN wires w ON w.pk = x.ref AND x.kind <> ${INBOX_KIND.knock}
      LEFT JOIN spaces s ON s.pk = w.space
      WHERE ${visibleItems("p.handle", 'p."from"', "p.floor")} AND x.seq <= p."to"`;
    const isWire = `x.kind = ${INBOX_KIND.wire}`;
    const rows = `
  SELECT p.*,
    (SELECT ${batchedDocs("doc")} FROM (SELECT ${SMALL_DOC} AS doc ${items} AND ${isWire} ORDER BY x.seq) wire) AS wires,
    (SELECT ${OTHERS[engine]} FROM (SELECT x.kind, x.ref, w.doc, s.retain_days ${items} AND NOT ${isWire} ORDER BY x.seq) other) AS others
  FROM (${ends}) p`;
    return `SELECT i, "from", checkpoint, head, "to", others, ${largeTextExpression(engine, "wires")} AS wires
    FROM (${rows} ${fence}) page`;
  });

const KNOCKS = perEngine(
  (engine) =>
    `${KNOCK_SELECT} WHERE k.pk IN (SELECT value FROM ${NUMBERED_INTEGERS.table(engine, "wanted")})`,
);

/** The first item of an inbox after a sequence number that is on a page. */
const NEXT_SHOWN = perEngine(
  (engine) => `SELECT x.seq FROM inbox x LEFT JOIN wires w ON w.pk = x.ref AND x.kind <> ${INBOX_KIND.knock}
    WHERE x.handle = ? AND x.seq > ? AND (x.kind = ${INBOX_KIND.knock} OR (${notHidden(engine)})) ORDER BY x.seq LIMIT 1`,
);

/** Reads a page of an inbox. It is empty only if no item is left: notices of hidden wires are skipped. */
export async function readInboxPage(
  engine: Pick<Engine, "reader" | "readBatched">,
  limit: number,
  query: InboxQuery,
): Promise<InboxPage> {
  const batch = inboxPages(limit);
  let page = await engine.readBatched(batch, query);
  if (page.to > page.from && isEmpty(page)) {
    const after = [query.handle, page.to, ...floorParameters(query.floors)];
    const next = await engine.reader.get<{ seq: number }>(NEXT_SHOWN, after);
    if (!next) return { ...page, wires: "[]", from: page.head, to: page.head };
    page = await engine.readBatched(batch, { ...query, after: next.seq - 1 });
  }
  const { wires } = page;
  return wires === null ? largeInboxPage(engine.reader, query, page) : { ...page, wires };
}

function isEmpty({ wires, knocks, notices }: BatchedInboxPage): boolean {
  return wires?.length === "[]".length && knocks.length + notices.length === 0;
}

/** Readers by page size, which the contract limits. */
const readers = new Map<number, BatchedRead<InboxQuery, BatchedInboxPage>>();

/** Returns the batched read for inbox pages of one size. It reads the pages of several inboxes with one SQL statement. */
function inboxPages(limit: number): BatchedRead<InboxQuery, BatchedInboxPage> {
  let reader = readers.get(limit);
  if (!reader) {
    const sql = pages(limit);
    reader = { run: (session, queries) => readPages(session, sql, queries) };
    readers.set(limit, reader);
  }
  return reader;
}

const SIZES = `SELECT x.seq, x.kind, x.ref, octet_length(w.doc) AS bytes
  FROM inbox x LEFT JOIN wires w ON w.pk = x.ref AND x.kind <> ${INBOX_KIND.knock}
  WHERE ${visibleItems("?1", "?2", "?4")} AND x.seq <= ?3 ORDER BY x.seq`;

/**
 * Reads a page whose wires are too large for a batched read.
 * @param page the page without its wires
 */
async function largeInboxPage(
  session: Session,
  query: InboxQuery,
  page: BatchedInboxPage,
): Promise<InboxPage> {
  const items = await session.all<{ seq: number; kind: number; ref: number; bytes: number | null }>(SIZES, [
    query.handle,
    page.from,
    page.to,
    query.floors.general,
  ]);
  const knocks = page.knocks.values();
  const notices = new Map(page.noticeRefs.map((ref, n) => [ref, page.notices[n]!]));
  const sizes = items.map(({ kind, ref, bytes }) => {
    if (kind === INBOX_KIND.wire) return bytes ?? 0;
    const item = kind === INBOX_KIND.knock ? knocks.next().value : notices.get(ref);
    return item === undefined ? 0 : Buffer.byteLength(JSON.stringify(item));
  });
  const fitting = items.slice(0, countFitting(sizes));
  const refsOf = (wanted: InboxKind) =>
    fitting.filter(({ kind }) => kind === INBOX_KIND[wanted]).map(({ ref }) => ref);
  const rows = await wiresByPk(session, refsOf("wire"));
  const wires = await withDocs(session, rows, query.shorten);
  return {
    ...page,
    wires: `[${wires.map(({ doc }) => doc).join(",")}]`,
    knocks: page.knocks.slice(0, refsOf("knock").length),
    notices: refsOf("notice").flatMap((ref) => notices.get(ref) ?? []),
    to: fitting.at(-1)!.seq,
    isBrief: query.shorten !== undefined,
  };
}

async function readPages(
  session: Session,
  sql: Sql,
  queries: readonly InboxQuery[],
): Promise<BatchedInboxPage[]> {
  const rows = await session.all<PageRow>(sql, [
    QUERIES.bind(queries.map((query, i) => [i, query.handle, query.after, query.floors.general])),
  ]);
  const pages: BatchedInboxPage[] = [];
  const knocks: { page: BatchedInboxPage; ref: number; at: number }[] = [];
  for (const { i, from, checkpoint, head, to, wires, others } of rows) {
    const page: BatchedInboxPage = {
      wires,
      knocks: [],
      notices: [],
      noticeRefs: [],
      from,
      to: to ?? from,
      isBrief: false,
      checkpoint,
      head: head ?? 0,
    };
    pages[i] = page;
    const { floors } = queries[i]!;
    for (const [kind, ref, doc, days] of JSON.parse(others ?? "[]") as OtherItem[]) {
      if (kind === INBOX_KIND.notice) {
        if (doc === null || ref <= floorIn(floors, days)) continue;
        page.notices.push(toNotice(doc));
        page.noticeRefs.push(ref);
      } else knocks.push({ page, ref, at: queries[i]!.at });
    }
  }
  if (knocks.length > 0) {
    const found = await session.all<KnockRow>(KNOCKS, [numberedIntegers(knocks.map((knock) => knock.ref))]);
    const byPk = new Map(found.map((row) => [row.pk, row]));
    for (const { page, ref, at } of knocks) page.knocks.push(toKnock(byPk.get(ref)!, at).resource);
  }
  return pages;
}

/** The doc of a knock is null, and that of a notice whose wire was deleted. */
type OtherItem = [kind: number, ref: number, doc: string | null, retainDays: number | null];

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

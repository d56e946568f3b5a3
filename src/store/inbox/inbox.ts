/**
 * Stores inboxes. Each handle has an append-only log of items. Sequence numbers are assigned under a lock
 * that is held until the commit, so they follow the commit order, and a cursor never skips an item. The
 * numbers have gaps only where retention has deleted wires. An inbox's newest item is never deleted, so that
 * its number is never reused.
 */
import { countFitting } from "../../contract/page-size.js";
import type { BatchedRead, Engine, Session, Transaction } from "../engine/engine.js";
import { type LargeText, largeTextExpression, RowsParameter, type Sql, sql } from "../engine/sql.js";
import { type FloorTable, floorParameters, NOT_HIDDEN } from "../retention/floors.js";
import { batchedDocs, type Shorten, SMALL_DOC, wiresByPk, withDocs } from "../wires/pages.js";
import {
  INBOX_KIND,
  type InboxKind,
  type InboxNotices,
  IS_DECIDED,
  NO_NOTICES,
  NOTICE,
  noticesOf,
  OTHERS,
  type OtherItem,
  otherItems,
} from "./notices.js";

/**
 * To append to several inboxes, first lock all their handles in one call.
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

/** @param ref primary key of the approval */
export async function appendNoticeToInbox(
  tx: Transaction,
  handle: number,
  notice: keyof typeof NOTICE,
  ref: number,
): Promise<void> {
  await tx.lock("handles", "pk", [handle]);
  await tx.run(
    `INSERT INTO inbox (handle, seq, kind, ref, notice)
     VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM inbox WHERE handle = ?1), ${INBOX_KIND.notice}, ?2, ?3)`,
    [handle, -ref, NOTICE[notice]],
  );
  tx.publish({ topic: "inbox", handle });
}

export type InboxOrder = "oldest" | "newest";

/** A position after all items, where the order `newest` starts. */
export const INBOX_START = Number.MAX_SAFE_INTEGER;

interface InboxShape {
  order: InboxOrder;
  limit: number;
}

export interface InboxQuery {
  handle: number;
  /** Sequence number after which the page starts; null for the stored checkpoint. */
  after: number | null;
  /** Shortens a large page's wires one by one, so that only one full wire is in memory at a time. */
  shorten?: Shorten | undefined;
  floors: FloorTable;
  /** The current time, which decides whether a pending knock has expired. */
  at: number;
}

export interface InboxPage {
  wires: LargeText;
  notices: InboxNotices;
  /** The page contains the items after sequence number `from`, up to and including `to`. */
  from: number;
  to: number;
  checkpoint: number;
  isBrief: boolean;
  /** Sequence number of the last item, even a hidden one; 0 if the inbox is empty. */
  head: number;
}

/** `wires` is null if the wires are too large for a batched read. {@link largeInboxPage} then reads them. */
interface BatchedInboxPage extends Omit<InboxPage, "wires" | "notices">, Pick<PageRow, "wires"> {
  others: readonly OtherItem[];
}

interface PageRow {
  i: number;
  from: number;
  checkpoint: number;
  to: number | null;
  head: number | null;
  wires: LargeText | null;
  /** Items other than wires, as a JSON array of {@link OtherRow}. */
  others: string | null;
}

const QUERIES = new RowsParameter({
  i: "integer",
  handle: "integer",
  after: "integer",
  floor: "integer",
});

/** Keeps the engine from flattening a subquery, which would compute its columns again for each use. */
const NO_FLATTENING = { sqlite: "LIMIT -1", postgres: "OFFSET 0" };

const ORDERS = {
  oldest: { after: ">", upTo: "<=", by: "x.seq", last: "max" },
  newest: { after: "<", upTo: ">=", by: "x.seq DESC", last: "min" },
} as const;

/** @param floor the highest primary key of a wire that retention hides */
const visibleItems = (order: InboxOrder, handle: string, from: string, floor: string) =>
  `x.handle = ${handle} AND x.seq ${ORDERS[order].after} ${from} AND (x.kind <> ${INBOX_KIND.wire} OR x.ref > ${floor})`;

const isApproval = `coalesce(x.notice, 0) = ${NOTICE.approval}`;
const isWireOfNotice = `w.pk = abs(x.ref) AND x.kind = ${INBOX_KIND.notice} AND NOT ${isApproval}`;

/** Whether handle `x.handle` can read space `s` now. */
export const IS_READABLE =
  "(s.visibility = 'public' OR EXISTS (SELECT 1 FROM members m WHERE m.space = s.pk AND m.handle = x.handle))";

/**
 * Returns one row per page, because creating a row object for each wire blocks the event loop much longer.
 * The JSON comes from a sorted subquery, so that the database does not sort copies of it.
 */
const pages = ({ order, limit }: InboxShape) => {
  const { by, last, upTo } = ORDERS[order];
  const ends = sql`
  SELECT q.*, (SELECT max(seq) FROM inbox WHERE handle = q.handle) AS head,
    (SELECT ${last}(seq) FROM (SELECT x.seq FROM inbox x WHERE ${visibleItems(order, "q.handle", 'q."from"', "q.floor")}
      ORDER BY ${by} LIMIT ${limit}) items) AS "to"
  FROM (
    SELECT j.i, j.handle, j.floor, coalesce(j."after", c.seq, 0) AS "from", coalesce(c.seq, 0) AS checkpoint
    FROM ${QUERIES.materialisedTable("j")} LEFT JOIN checkpoints c ON c.handle = j.handle
  ) q ${NO_FLATTENING}`;
  const onPage = `${visibleItems(order, "p.handle", 'p."from"', "p.floor")} AND x.seq ${upTo} p."to"`;
  const isWire = `x.kind = ${INBOX_KIND.wire}`;
  const rows = sql`
  SELECT p.*,
    (SELECT ${batchedDocs("doc")} FROM (SELECT ${SMALL_DOC} AS doc FROM inbox x LEFT JOIN wires w ON w.pk = x.ref
      WHERE ${onPage} AND ${isWire} ORDER BY ${by}) wire) AS wires,
    (SELECT ${OTHERS} FROM (SELECT x.seq, x.kind, x.notice, abs(x.ref) AS ref, w.doc, s.retain_days,
        CASE WHEN ${IS_READABLE} THEN 1 ELSE 0 END AS is_readable
      FROM inbox x LEFT JOIN wires w ON ${isWireOfNotice} LEFT JOIN spaces s ON s.pk = w.space
      WHERE ${onPage} AND NOT ${isWire} ORDER BY ${by}) other) AS others
  FROM (${ends}) p`;
  return sql`SELECT i, "from", checkpoint, head, "to", others, ${largeTextExpression("wires")} AS wires
    FROM (${rows} ${NO_FLATTENING}) page`;
};

const shownAfter = (order: InboxOrder) =>
  sql`SELECT x.seq FROM inbox x LEFT JOIN approvals a ON a.pk = -x.ref AND ${isApproval} AND ${IS_DECIDED}
      LEFT JOIN wires w ON w.pk = CASE WHEN ${isApproval} THEN a.wire ELSE abs(x.ref) END AND x.kind <> ${INBOX_KIND.knock}
      LEFT JOIN spaces s ON s.pk = w.space
    WHERE x.handle = ? AND x.seq ${ORDERS[order].after} ? AND (x.kind = ${INBOX_KIND.knock}
      OR (a.pk IS NOT NULL AND a.wire IS NULL)
      OR (${NOT_HIDDEN} AND (coalesce(x.notice, ${NOTICE.approval}) = ${NOTICE.approval} OR ${IS_READABLE})))
    ORDER BY ${ORDERS[order].by} LIMIT 1`;
const SHOWN_AFTER = { oldest: shownAfter("oldest"), newest: shownAfter("newest") };

/** Returns the sequence number of the first visible item after `after`, or undefined. */
export async function nextShown(
  session: Session,
  order: InboxOrder,
  { handle, after, floors }: { handle: number; after: number; floors: FloorTable },
): Promise<number | undefined> {
  const params = [handle, after, ...floorParameters(floors)];
  return (await session.get<{ seq: number }>(SHOWN_AFTER[order], params))?.seq;
}

/** Returns the sequence number of the last item; 0 if the inbox is empty. */
export async function endOfInbox(session: Session, handle: number): Promise<number> {
  const row = await session.get<{ seq: number }>(
    "SELECT coalesce(max(seq), 0) AS seq FROM inbox WHERE handle = ?",
    [handle],
  );
  return row!.seq;
}

/** Returns the position of the last wire whose primary key is at most `wire`; 0 if there is none. */
export async function lastSeqUpTo(session: Session, handle: number, wire: number): Promise<number> {
  const row = await session.get<{ seq: number }>(
    `SELECT seq FROM inbox WHERE handle = ? AND kind = ${INBOX_KIND.wire} AND ref <= ? ORDER BY seq DESC LIMIT 1`,
    [handle, wire],
  );
  return row?.seq ?? 0;
}

/** Skips hidden items, so a page is empty only if no items are left. */
export async function readInboxPage(
  engine: Pick<Engine, "reader" | "readBatched">,
  limit: number,
  query: InboxQuery,
  order: InboxOrder = "oldest",
): Promise<InboxPage> {
  const batch = inboxPages({ order, limit });
  let page = await engine.readBatched(batch, query);
  if (page.to !== page.from && isEmpty(page)) {
    const next = await nextShown(engine.reader, order, { ...query, after: page.to });
    if (next === undefined) {
      const end = order === "oldest" ? page.head : page.to;
      return { ...page, wires: "[]", notices: NO_NOTICES, from: end, to: end };
    }
    page = await engine.readBatched(batch, { ...query, after: order === "oldest" ? next - 1 : next + 1 });
  }
  const { wires, others, ...rest } = page;
  return wires === null
    ? largeInboxPage(engine.reader, query, order, page)
    : { ...rest, wires, notices: noticesOf(others) };
}

function isEmpty({ wires, others }: BatchedInboxPage): boolean {
  return wires?.length === "[]".length && others.length === 0;
}

/** The contract limits the page size, so this map stays small. */
const readers = new Map<string, BatchedRead<InboxQuery, BatchedInboxPage>>();

/** Reads pages of several inboxes with one statement. */
function inboxPages(shape: InboxShape): BatchedRead<InboxQuery, BatchedInboxPage> {
  const key = `${shape.order} ${shape.limit}`;
  let reader = readers.get(key);
  if (!reader) {
    const sql = pages(shape);
    reader = { run: (session, queries) => readPages(session, sql, queries) };
    readers.set(key, reader);
  }
  return reader;
}

const sizes = (order: InboxOrder) => `SELECT x.seq, x.kind, x.ref, octet_length(w.doc) AS bytes
  FROM inbox x LEFT JOIN wires w ON w.pk = x.ref AND x.kind = ${INBOX_KIND.wire}
  WHERE ${visibleItems(order, "?1", "?2", "?4")} AND x.seq ${ORDERS[order].upTo} ?3 ORDER BY ${ORDERS[order].by}`;
const SIZES = { oldest: sizes("oldest"), newest: sizes("newest") };

/** @param page the page without its wires */
async function largeInboxPage(
  session: Session,
  query: InboxQuery,
  order: InboxOrder,
  { others, ...page }: BatchedInboxPage,
): Promise<InboxPage> {
  const items = await session.all<{ seq: number; kind: number; ref: number; bytes: number | null }>(
    SIZES[order],
    [query.handle, page.from, page.to, query.floors.general],
  );
  const bySeq = new Map(others.map((other) => [other.seq, other]));
  const bytes = items.map(({ seq, kind, bytes }) => {
    if (kind === INBOX_KIND.wire) return bytes ?? 0;
    const item = bySeq.get(seq)?.item;
    return item === undefined ? 0 : Buffer.byteLength(JSON.stringify(item));
  });
  const fitting = items.slice(0, countFitting(bytes));
  const pks = fitting.filter(({ kind }) => kind === INBOX_KIND.wire).map(({ ref }) => ref);
  const wires = await withDocs(session, await wiresByPk(session, pks), query.shorten);
  return {
    ...page,
    wires: `[${wires.map(({ doc }) => doc).join(",")}]`,
    notices: noticesOf(fitting.flatMap(({ seq }) => bySeq.get(seq) ?? [])),
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
  const lists = await otherItems(
    session,
    rows.map(({ i, others }) => ({ ...queries[i]!, rows: others })),
  );
  const pages: BatchedInboxPage[] = [];
  for (const [n, { i, from, checkpoint, head, to, wires }] of rows.entries()) {
    pages[i] = {
      wires,
      others: lists[n]!,
      from,
      to: to ?? from,
      isBrief: false,
      checkpoint,
      head: head ?? 0,
    };
  }
  return pages;
}

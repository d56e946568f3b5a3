/**
 * Reads wires for pages of feeds, threads, inboxes and search results. SQLite returns a page as one row,
 * because its driver is slow at creating an object for each wire.
 */
import { cutPage, type Page } from "../../contract/page-size.js";
import { jsonToString } from "../../kernel/raw-json.js";
import type { Session, SqlValue } from "../engine/engine.js";
import {
  type EngineSql,
  type LargeText,
  largeTextExpression,
  NUMBERED_INTEGERS,
  numberedIntegers,
  type Sql,
  sql,
  textFor,
} from "../engine/sql.js";

/** A wire with the data that decides whether a page shows its vote count and its claim. */
export interface WireRow {
  pk: number;
  /** The Wire as JSON, without vote_count and claim. */
  doc: string;
  is_root: number;
  /**
   * The features that the parent's reply rule allows, as the sum of 1 for votes and 2 for claims; null if the
   * parent has no reply rule.
   */
  parent_votable: number | null;
  vote_count: number;
}

/** @param doc SQL expression for the column `doc` of wire `w` */
export const wireColumns = (doc = "w.doc") =>
  `w.pk, ${doc} AS doc, w.reply_to IS NULL AS is_root, w.parent_votable, w.vote_count`;

/** A large wire's JSON is loaded only after the page is cut to its maximum size. */
export type PageRow = Omit<WireRow, "doc"> & ({ doc: string; bytes: null } | { doc: null; bytes: number });

/** A page of 100 wires of this size, with vote counts and claims, fits into `MAX_PAGE_BYTES`. */
const MAX_SMALL_BYTES = 40_000;
/** Maximum length of the fields that are added to the JSON: `vote_count` and `claim`, or `delivery`. */
const ADDED_BYTES = 200;

/** Null for a large wire, so that the database does not read its JSON. */
export const SMALL_DOC = `CASE WHEN octet_length(w.doc) <= ${MAX_SMALL_BYTES} THEN w.doc END`;

/** The database measures a large text without reading it. */
const PAGE_ROW_COLUMNS = `${wireColumns(SMALL_DOC)},
  CASE WHEN octet_length(w.doc) > ${MAX_SMALL_BYTES} THEN octet_length(w.doc) END AS bytes`;

/**
 * Puts a page into one row: its numbers as a JSON array, and one document per line. Serialised JSON has no
 * line breaks, and escaping documents within JSON would be slower.
 */
const PACKED = `json_group_array(json_array(pk, is_root, parent_votable, vote_count, bytes)) AS numbers,
  ${largeTextExpression("string_agg(coalesce(doc, ''), char(10))").sqlite} AS docs`;

function toRows(numbers: string, docs: LargeText | null): PageRow[] {
  const lines = jsonToString(docs ?? "").split("\n");
  return (JSON.parse(numbers) as [number, number, number | null, number, number | null][]).map(
    ([pk, is_root, parent_votable, vote_count, bytes], n) => {
      const wire = { pk, is_root, parent_votable, vote_count };
      return bytes === null ? { ...wire, doc: lines[n]!, bytes } : { ...wire, doc: null, bytes };
    },
  );
}

async function readRows(session: Session, sql: Sql, params: readonly SqlValue[]): Promise<PageRow[]> {
  if (session.engine !== "sqlite") return session.all<PageRow>(sql, params);
  const text = `SELECT ${PACKED} FROM (${textFor("sqlite", sql)})`;
  const { numbers, docs } = (await session.get<{ numbers: string; docs: LargeText | null }>(text, params))!;
  return toRows(numbers, docs);
}

const DOCS = sql`SELECT w.pk, ${largeTextExpression("w.doc")} AS doc
    FROM ${NUMBERED_INTEGERS.table("wanted")} JOIN wires w ON w.pk = wanted.value`;

/** Returns undefined if no wire has this primary key. */
export async function docOf(session: Session, pk: number): Promise<string | undefined> {
  const [row] = await session.all<{ doc: LargeText }>(DOCS, [numberedIntegers([pk])]);
  return row && jsonToString(row.doc);
}

export type Shorten = (doc: string) => string;

/** Other requests run after this much JSON was parsed, because parsing blocks the event loop. */
export const LENGTH_PER_TURN = 64 * 1024;

/**
 * Loads the JSON of large wires. Skips wires that were deleted in the meantime.
 * @param shorten shortens each wire, so that only one large wire is in memory at a time
 */
export async function withDocs(
  session: Session,
  rows: readonly PageRow[],
  shorten?: Shorten,
): Promise<readonly WireRow[]> {
  if (!shorten) return loadAll(session, rows);
  const brief: WireRow[] = [];
  let length = 0;
  for (const row of rows) {
    const [wire] = await loadAll(session, [row]);
    if (!wire) continue;
    brief.push({ ...wire, doc: shorten(wire.doc) });
    length += wire.doc.length;
    if (length <= LENGTH_PER_TURN) continue;
    await nextTurn();
    length = 0;
  }
  return brief;
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function loadAll(session: Session, rows: readonly PageRow[]): Promise<readonly WireRow[]> {
  const large = rows.filter(({ doc }) => doc === null).map(({ pk }) => pk);
  if (large.length === 0) return rows as readonly WireRow[];
  const found = await session.all<{ pk: number; doc: LargeText }>(DOCS, [numberedIntegers(large)]);
  const docs = new Map(found.map(({ pk, doc }) => [pk, jsonToString(doc)]));
  return rows.flatMap((row) => {
    const doc = row.doc ?? docs.get(row.pk);
    return doc === undefined ? [] : [{ ...row, doc }];
  });
}

/** @param rows up to `limit + 1` rows */
export async function toWirePage(
  session: Session,
  rows: readonly PageRow[],
  limit: number,
  shorten?: Shorten,
): Promise<Page<WireRow>> {
  const hasLarge = rows.some(({ bytes }) => bytes !== null);
  const { items, hasMore } = cutPage(rows, limit, hasLarge ? sizeOf : undefined);
  return { items: await withDocs(session, items, shorten), hasMore };
}

function sizeOf(row: PageRow): number {
  return ADDED_BYTES + (row.bytes ?? Buffer.byteLength(row.doc));
}

/** @param sql returns a statement that selects the given columns of up to `limit` wires */
export async function readWirePage(
  session: Session,
  sql: (columns: string, limit: number) => string,
  params: readonly SqlValue[],
  limit: number,
  shorten?: Shorten,
): Promise<Page<WireRow>> {
  for (;;) {
    const rows = await readRows(session, sql(PAGE_ROW_COLUMNS, limit + 1), params);
    const page = await toWirePage(session, rows, limit, shorten);
    // If all wires of the page were deleted meanwhile, read the next ones.
    if (page.items.length > 0 || !page.hasMore) return page;
  }
}

const BY_PK = sql`SELECT ${PAGE_ROW_COLUMNS} FROM ${NUMBERED_INTEGERS.table("wanted")}
  JOIN wires w ON w.pk = wanted.value ORDER BY wanted.n`;

/** Returns wires in the order of `pks`, without the JSON of large wires. */
export function wiresByPk(session: Session, pks: readonly number[]): Promise<PageRow[]> {
  return readRows(session, BY_PK, [numberedIntegers(pks)]);
}

/** A page with more JSON than this is read alone, not in one query with other requests' pages. */
const MAX_BATCHED_PAGE_BYTES = 1024 * 1024;

/**
 * Returns null instead of a JSON array if the page is too large for a batched read.
 * @param json SQL expression for the JSON of a wire whose column `doc` is {@link SMALL_DOC}
 */
export function batchedDocs(json: Sql): EngineSql {
  return sql`CASE WHEN count(*) > count(doc) OR octet_length(string_agg(${json}, ',')) > ${MAX_BATCHED_PAGE_BYTES} THEN NULL
    ELSE concat('[', string_agg(${json}, ','), ']') END`;
}

/** Reads pages of feeds (docs/specification/reading.md#feeds). */
import type { Page } from "../../contract/page-size.js";
import type { BatchedRead, Session } from "../engine/engine.js";
import { type LargeText, largeTextExpression, RowsParameter, type Sql, sql } from "../engine/sql.js";
import { batchedDocs, readWirePage, type Shorten, SMALL_DOC, type WireRow, wireColumns } from "./pages.js";
import { appendFieldSql } from "./wire-json.js";

export interface FeedQuery {
  space: number;
  /** If `parentsDecide` is true, the parent's reply rule decides whether a reply allows votes. */
  votable: { roots: boolean; replies: boolean; parentsDecide: boolean };
  after: FeedPosition | undefined;
  /** Wires up to this primary key are hidden by retention, so the page omits them. */
  floor: number;
}

export interface FeedPosition {
  pk: number;
  voteCount: number;
}

export interface FeedShape {
  order: "newest" | "oldest" | "top";
  rootsOnly: boolean;
  limit: number;
}

/** A further condition for the wires of a page, for feeds with the order `top`. */
interface FeedCondition {
  /** @param at SQL for the current time */
  sql(at: string): string;
  at: number;
  /** The last wire that may be on the page; undefined for no limit. */
  end: FeedPosition | undefined;
}

export interface FeedPage {
  /**
   * A JSON array. Null if the wires are too large for a batched read, or if a parent's reply rule allows
   * claims. {@link largeFeedPage} then reads them.
   */
  wires: LargeText | null;
  /**
   * Position of the last wire. On the last page, only the order `oldest` sets it, because long polls need it.
   */
  last: FeedPosition | undefined;
  hasMore: boolean;
}

const FEEDS = new RowsParameter({
  i: "integer",
  space: "integer",
  roots: "integer",
  replies: "integer",
  by_parent: "integer",
  pk: "integer",
  votes: "integer",
  floor: "integer",
});

const IS_VOTABLE = `CASE WHEN is_root THEN q.roots WHEN q.by_parent = 1 AND parent_votable IS NOT NULL THEN parent_votable & 1
  ELSE q.replies END = 1`;

const WIRE_JSON = sql`CASE WHEN ${IS_VOTABLE} THEN ${appendFieldSql("doc", "vote_count", "vote_count")} ELSE doc END`;

interface FeedRow {
  i: number;
  wires: LargeText | null;
  /**
   * Primary keys and vote counts, such as `41 3,40 2`, of the page's last wire and of the next wire. The
   * order `oldest` includes all wires of the page.
   */
  ends: string | null;
}

/** Each order has its own index, so page 100 costs the same as page 1. */
class FeedPageReader implements BatchedRead<FeedQuery, FeedPage> {
  private readonly sql: Sql;

  constructor(private readonly shape: FeedShape) {
    const { limit } = shape;
    const wires = sql`SELECT CASE WHEN max(parent_votable) > 1 THEN NULL ELSE ${batchedDocs(WIRE_JSON)} END
      FROM (${selectFeed(shape, wireColumns(SMALL_DOC), limit, OF_QUERY)}) page`;
    const ends = `SELECT string_agg(concat(pk, ' ', vote_count), ',') FROM (
      ${selectFeed(shape, positionColumns(shape), limit + 1, OF_QUERY)} OFFSET ${this.skipped}) ends`;
    this.sql = sql`SELECT i, ${largeTextExpression(sql`(${wires})`)} AS wires, (${ends}) AS ends
      FROM ${FEEDS.materialisedTable("q")}`;
  }

  async run(session: Session, queries: readonly FeedQuery[]): Promise<FeedPage[]> {
    const rows = queries.map(({ space, votable, after, floor }, i) => [
      i,
      space,
      Number(votable.roots),
      Number(votable.replies),
      Number(votable.parentsDecide),
      startOf(this.shape, after, floor),
      after?.voteCount ?? Number.MAX_SAFE_INTEGER,
      floor,
    ]);
    const pages: FeedPage[] = [];
    for (const { i, wires, ends } of await session.all<FeedRow>(this.sql, [FEEDS.bind(rows)])) {
      const positions = ends?.split(",") ?? [];
      const length = this.shape.limit - this.skipped;
      const last = positions[Math.min(length, positions.length) - 1];
      pages[i] = {
        wires,
        last: last === undefined ? undefined : toPosition(last),
        hasMore: positions.length > length,
      };
    }
    return pages;
  }

  /**
   * Number of positions to skip. The order `oldest` skips none, because a long poll needs the last wire's
   * position even on a short page.
   */
  private get skipped(): number {
    return this.shape.order === "oldest" ? 0 : this.shape.limit - 1;
  }
}

/** One index contains all these columns, so the query does not read the table. */
function positionColumns({ order }: FeedShape): string {
  return order === "top" ? "w.pk, w.vote_count" : "w.pk, 0 AS vote_count";
}

/** SQL expressions for the space and for the position at which a page starts. */
interface Start {
  space: string;
  pk: string;
  votes: string;
  floor: string;
}

/** Returns the primary key at which a page starts; the wire itself is excluded. */
function startOf({ order }: FeedShape, after: FeedPosition | undefined, floor: number): number {
  if (order === "oldest") return Math.max(after?.pk ?? 0, floor);
  return after?.pk ?? Number.MAX_SAFE_INTEGER;
}

const OF_QUERY: Start = { space: "q.space", pk: "q.pk", votes: "q.votes", floor: "q.floor" };
const OF_PARAMETERS: Start = { space: "?1", pk: "?2", votes: "?4", floor: "?3" };

function selectFeed(
  { order, rootsOnly }: FeedShape,
  columns: string,
  limit: number,
  start: Start,
  condition = "",
): string {
  const roots = rootsOnly ? "AND w.reply_to IS NULL" : "";
  const select = `SELECT ${columns} FROM wires w WHERE w.space = ${start.space} ${roots} ${condition}`;
  if (order === "oldest") return `${select} AND w.pk > ${start.pk} ORDER BY w.pk LIMIT ${limit}`;
  const visible = `${select} AND w.pk > ${start.floor}`;
  if (order === "newest") return `${visible} AND w.pk < ${start.pk} ORDER BY w.pk DESC LIMIT ${limit}`;
  // With (vote_count, pk) < (?, ?), SQLite would use the index only for vote_count, which is the same for
  // most wires. So read two index ranges.
  return `
    SELECT * FROM (
      SELECT * FROM (${visible} AND w.vote_count = ${start.votes} AND w.pk < ${start.pk} ORDER BY w.pk DESC LIMIT ${limit}) equal
      UNION ALL
      SELECT * FROM (${visible} AND w.vote_count < ${start.votes} ORDER BY w.vote_count DESC, w.pk DESC LIMIT ${limit}) fewer
    ) top ORDER BY vote_count DESC, pk DESC LIMIT ${limit}`;
}

export function largeFeedPage(
  session: Session,
  shape: FeedShape,
  query: FeedQuery,
  shorten?: Shorten,
  condition?: FeedCondition,
): Promise<Page<WireRow>> {
  const params = parametersOf(shape, query);
  const bind = (value: number) => `?${params.push(value)}`;
  let further = "";
  if (condition) {
    const { at, end } = condition;
    further = `AND ${condition.sql(bind(at))}`;
    if (end) further += ` AND (w.vote_count, w.pk) >= (${bind(end.voteCount)}, ${bind(end.pk)})`;
  }
  const sql = (columns: string, limit: number) => selectFeed(shape, columns, limit, OF_PARAMETERS, further);
  return readWirePage(session, sql, params, shape.limit, shorten);
}

/** The parameters of a statement with {@link OF_PARAMETERS}. */
function parametersOf(shape: FeedShape, { space, after, floor }: FeedQuery): number[] {
  const params = [space, startOf(shape, after, floor)];
  if (shape.order !== "oldest") params.push(floor);
  if (shape.order === "top") params.push(after?.voteCount ?? Number.MAX_SAFE_INTEGER);
  return params;
}

/** Returns the position of the `n`th wire after the query's position, or undefined if fewer wires follow. */
export async function positionOfNth(
  session: Session,
  shape: FeedShape,
  query: FeedQuery,
  n: number,
): Promise<FeedPosition | undefined> {
  const wires = selectFeed(shape, positionColumns(shape), n, OF_PARAMETERS);
  const row = await session.get<{ pk: number; vote_count: number }>(
    `${wires} OFFSET ${n - 1}`,
    parametersOf(shape, query),
  );
  return row && { pk: row.pk, voteCount: row.vote_count };
}

/** Returns the primary key of the space's last wire; 0 if the space has no wires. */
export async function endOfFeed(session: Session, space: number): Promise<number> {
  const row = await session.get<{ pk: number }>(
    "SELECT coalesce(max(pk), 0) AS pk FROM wires WHERE space = ?",
    [space],
  );
  return row!.pk;
}

function toPosition(text: string): FeedPosition {
  const [pk, voteCount] = text.split(" ");
  return { pk: Number(pk), voteCount: Number(voteCount) };
}

/** The contract limits orders, filters and page sizes, so this map stays small. */
const feedPageReaders = new Map<string, FeedPageReader>();

export function feedPages(shape: FeedShape): BatchedRead<FeedQuery, FeedPage> {
  const { order, rootsOnly, limit } = shape;
  const key = `${order} ${rootsOnly} ${limit}`;
  let reader = feedPageReaders.get(key);
  if (!reader) {
    reader = new FeedPageReader(shape);
    feedPageReaders.set(key, reader);
  }
  return reader;
}

/**
 * Pages of wires: feeds, threads, what a search has found. From SQLite a page comes as one text, a line each wire, as its
 * driver makes an object of each row on the event loop, which took four times as long for fifty wires.
 */
import type { BatchedRead, Session, SqlValue } from "./engine.js";
import { type LongText, longText, toText } from "./long-text.js";
import { NUMBERS, numbered, RowsOf, type Sql, textFor, written } from "./sql.js";
import { together } from "./together.js";

/** A stored wire as pages show it: ready-made JSON, and what decides whether and what votes are shown. */
export interface WireRow {
  pk: number;
  /** The Wire as JSON, without vote_count. */
  doc: string;
  /** 1 where it is a root. */
  is_root: number;
  /** Whether the parent's own reply rule is votable; null where it has none. */
  parent_votable: number | null;
  vote_count: number;
}

export const WIRE_PAGE_COLUMNS = "w.pk, w.doc, w.reply_to IS NULL AS is_root, w.parent_votable, w.vote_count";

/** A line of a page, from `WIRE_PAGE_COLUMNS`. JSON holds no line breaks of its own. */
const LINE = "concat_ws(' ', pk, is_root, coalesce(parent_votable, ''), vote_count, doc)";
const LINES = longText("sqlite", `string_agg(${LINE}, char(10))`);

function toRows(lines: LongText | null): WireRow[] {
  return lines === null ? [] : toText(lines).split("\n").map(toRow);
}

function toRow(line: string): WireRow {
  const start = line.indexOf("{");
  const [pk, isRoot, parentVotable, voteCount] = line.slice(0, start).split(" ");
  return {
    pk: Number(pk),
    doc: line.slice(start),
    is_root: Number(isRoot),
    parent_votable: parentVotable === "" ? null : Number(parentVotable),
    vote_count: Number(voteCount),
  };
}

/** The rows of a statement that gives `WIRE_PAGE_COLUMNS`, in its order. */
async function page(session: Session, sql: Sql, params: readonly SqlValue[]): Promise<WireRow[]> {
  if (session.engine !== "sqlite") return session.all<WireRow>(sql, params);
  const text = `SELECT ${LINES} AS lines FROM (${textFor("sqlite", sql)})`;
  return toRows((await session.get<{ lines: LongText | null }>(text, params))!.lines);
}

/** Wires of a thread after a pk, root first; of a DM thread those alone that `handle` sent or received. */
export function threadPage(
  session: Session,
  query: { thread: number; handle: number; isDm: boolean; after: number; limit: number },
): Promise<WireRow[]> {
  const own = query.isDm ? "AND (w.sender = ? OR w.recipient = ?)" : "";
  return page(
    session,
    `SELECT ${WIRE_PAGE_COLUMNS} FROM wires w WHERE w.thread = ? ${own} AND w.pk > ? ORDER BY w.pk LIMIT ?`,
    [query.thread, ...(query.isDm ? [query.handle, query.handle] : []), query.after, query.limit],
  );
}

export interface FeedQuery {
  space: number;
  /** The last wire of the page before. */
  after: { pk: number; voteCount: number } | undefined;
}

export interface FeedShape {
  order: "newest" | "top";
  rootsOnly: boolean;
  limit: number;
}

const FEEDS = new RowsOf({ i: "integer", space: "integer", pk: "integer", votes: "integer" });

/** Pages of feeds of one shape; every order has an index of its own, so page 100 costs what page 1 does. */
class FeedPages implements BatchedRead<FeedQuery, WireRow[]> {
  private readonly sqlite: string;

  constructor(private readonly shape: FeedShape) {
    const pages = `(SELECT ${LINES} FROM (${this.select("q.space", "q.votes", "q.pk")})) AS lines`;
    this.sqlite = `SELECT q.i, ${pages} FROM ${FEEDS.as("sqlite", "q")}`;
  }

  async run(session: Session, queries: readonly FeedQuery[]): Promise<WireRow[][]> {
    const places = queries.map(({ space, after }) => {
      return [space, after?.pk ?? Number.MAX_SAFE_INTEGER, after?.voteCount ?? Number.MAX_SAFE_INTEGER];
    });
    if (session.engine !== "sqlite") {
      const sql = this.select("?1", "?3", "?2");
      const count = this.shape.order === "newest" ? 2 : 3;
      return together(places.map((place) => session.all<WireRow>(sql, place.slice(0, count))));
    }
    const asked = FEEDS.bind(places.map((place, i) => [i, ...place]));
    const found: WireRow[][] = [];
    for (const row of await session.all<{ i: number; lines: LongText | null }>(this.sqlite, [asked])) {
      found[row.i] = toRows(row.lines);
    }
    return found;
  }

  private select(space: string, votes: string, pk: string): string {
    const { order, rootsOnly, limit } = this.shape;
    const roots = rootsOnly ? "AND w.reply_to IS NULL" : "";
    const select = `SELECT ${WIRE_PAGE_COLUMNS} FROM wires w WHERE w.space = ${space} ${roots}`;
    if (order === "newest") return `${select} AND w.pk < ${pk} ORDER BY w.pk DESC LIMIT ${limit}`;
    // Two ranges of the index: SQLite seeks (vote_count, pk) < (?, ?) by votes alone, and most wires have the same number of them.
    return `
      SELECT * FROM (
        SELECT * FROM (${select} AND w.vote_count = ${votes} AND w.pk < ${pk} ORDER BY w.pk DESC LIMIT ${limit}) equal
        UNION ALL
        SELECT * FROM (${select} AND w.vote_count < ${votes} ORDER BY w.vote_count DESC, w.pk DESC LIMIT ${limit}) fewer
      ) top ORDER BY vote_count DESC, pk DESC LIMIT ${limit}`;
  }
}

/** One of each shape: two orders, with or without replies, and the limits that the contract allows. */
const feeds = new Map<string, FeedPages>();

/** The pages of feeds of one shape, which many callers read at once. */
export function feedPages(shape: FeedShape): BatchedRead<FeedQuery, WireRow[]> {
  const { order, rootsOnly, limit } = shape;
  const key = `${order} ${rootsOnly} ${limit}`;
  let pages = feeds.get(key);
  if (!pages) {
    pages = new FeedPages(shape);
    feeds.set(key, pages);
  }
  return pages;
}

const BY_PK = written(
  (engine) =>
    `SELECT ${WIRE_PAGE_COLUMNS} FROM ${NUMBERS.as(engine, "wanted")} JOIN wires w ON w.pk = wanted.value ORDER BY wanted.n`,
);

/** Wires of these pks, in the order given. */
export function wiresByPk(session: Session, pks: readonly number[]): Promise<WireRow[]> {
  return page(session, BY_PK, [numbered(pks)]);
}

/**
 * Pages of wires: feeds, threads, what a search has found. From SQLite a page comes as one text, a line each wire, as its
 * driver makes an object of each row on the event loop, which took four times as long for fifty wires.
 */
import { textOf } from "../../kernel/verbatim.js";
import type { BatchedRead, Session, SqlValue } from "../engine/engine.js";
import { type LongText, longText } from "../engine/long-text.js";
import { NUMBERS, numbered, RowsOf, type Sql, textFor, written } from "../engine/sql.js";

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
  return lines === null ? [] : textOf(lines).split("\n").map(toRow);
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
  /** Which of its wires are votable; `parentsDecide` where replies to a wire with a rule of its own follow that one. */
  votable: { roots: boolean; replies: boolean; parentsDecide: boolean };
  /** The last wire of the page before. */
  after: FeedPlace | undefined;
}

/** Where a wire stands in a feed. */
export interface FeedPlace {
  pk: number;
  voteCount: number;
}

export interface FeedShape {
  order: "newest" | "top";
  rootsOnly: boolean;
  limit: number;
}

export interface FeedPage {
  /** The wires as a JSON array. */
  wires: LongText;
  /** The last of them, where others follow. */
  last: FeedPlace | undefined;
}

const FEEDS = new RowsOf({
  i: "integer",
  space: "integer",
  roots: "integer",
  replies: "integer",
  by_parent: "integer",
  pk: "integer",
  votes: "integer",
});

/** A wire of a feed as a response carries it: `presentWire` says the same. What precedes the closing brace is cut as bytes. */
const PRESENTED = {
  sqlite: presentedBy("substr(CAST(doc AS BLOB), 1, octet_length(doc) - 1)"),
  postgres: presentedBy("substr(doc, 1, length(doc) - 1)"),
};

function presentedBy(withoutBrace: string): string {
  const isVotable = `CASE WHEN is_root THEN q.roots WHEN q.by_parent = 1 AND parent_votable IS NOT NULL THEN parent_votable
    ELSE q.replies END = 1`;
  return `CASE WHEN ${isVotable} THEN ${withoutBrace} || ',"vote_count":' || vote_count || '}' ELSE doc END`;
}

interface FeedRow {
  i: number;
  wires: LongText;
  /** pk and vote count of the last wire of the page, and of the one after it, where there is one. */
  ends: string | null;
}

/** Pages of feeds of one shape; every order has an index of its own, so page 100 costs what page 1 does. */
class FeedPages implements BatchedRead<FeedQuery, FeedPage> {
  private readonly sql: Sql;

  constructor(private readonly shape: FeedShape) {
    const { limit } = shape;
    this.sql = written((engine) => {
      const wires = `SELECT string_agg(${PRESENTED[engine]}, ',') FROM (${this.select(WIRE_PAGE_COLUMNS, limit)}) page`;
      const ends = `SELECT string_agg(concat(pk, ' ', vote_count), ',') FROM (
        ${this.select(this.place, limit + 1)} OFFSET ${limit - 1}) ends`;
      return `SELECT i, ${longText(engine, `concat('[', (${wires}), ']')`)} AS wires, (${ends}) AS ends
        FROM ${FEEDS.asRead(engine, "q")}`;
    });
  }

  async run(session: Session, queries: readonly FeedQuery[]): Promise<FeedPage[]> {
    const asked = queries.map(({ space, votable, after }, i) => [
      i,
      space,
      Number(votable.roots),
      Number(votable.replies),
      Number(votable.parentsDecide),
      after?.pk ?? Number.MAX_SAFE_INTEGER,
      after?.voteCount ?? Number.MAX_SAFE_INTEGER,
    ]);
    const pages: FeedPage[] = [];
    for (const { i, wires, ends } of await session.all<FeedRow>(this.sql, [FEEDS.bind(asked)])) {
      const [last, next] = ends?.split(",") ?? [];
      pages[i] = { wires, last: next === undefined ? undefined : toPlace(last!) };
    }
    return pages;
  }

  /** What is read of a wire to know its place: in either order an index has it. */
  private get place(): string {
    return this.shape.order === "newest" ? "w.pk, 0 AS vote_count" : "w.pk, w.vote_count";
  }

  private select(columns: string, limit: number): string {
    const { order, rootsOnly } = this.shape;
    const roots = rootsOnly ? "AND w.reply_to IS NULL" : "";
    const select = `SELECT ${columns} FROM wires w WHERE w.space = q.space ${roots}`;
    if (order === "newest") return `${select} AND w.pk < q.pk ORDER BY w.pk DESC LIMIT ${limit}`;
    // Two ranges of the index: SQLite seeks (vote_count, pk) < (?, ?) by votes alone, and most wires have the same number of them.
    return `
      SELECT * FROM (
        SELECT * FROM (${select} AND w.vote_count = q.votes AND w.pk < q.pk ORDER BY w.pk DESC LIMIT ${limit}) equal
        UNION ALL
        SELECT * FROM (${select} AND w.vote_count < q.votes ORDER BY w.vote_count DESC, w.pk DESC LIMIT ${limit}) fewer
      ) top ORDER BY vote_count DESC, pk DESC LIMIT ${limit}`;
  }
}

function toPlace(text: string): FeedPlace {
  const [pk, voteCount] = text.split(" ");
  return { pk: Number(pk), voteCount: Number(voteCount) };
}

/** One of each shape: two orders, with or without replies, and the limits that the contract allows. */
const feeds = new Map<string, FeedPages>();

/** The pages of feeds of one shape, which many callers read at once. */
export function feedPages(shape: FeedShape): BatchedRead<FeedQuery, FeedPage> {
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

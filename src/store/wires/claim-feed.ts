/**
 * Reads pages of feeds with only the wires whose claim is in one state (docs/specification/reading.md#feeds).
 * Uses the indexes of claims, so that a page of a few open wires does not scan many finished ones.
 */
import type { Page } from "../../contract/page-size.js";
import type { Claim } from "../../contract/shapes.js";
import type { AllowedWires } from "../../domain/rule-features.js";
import type { Session } from "../engine/engine.js";
import { FOREVER } from "./claims.js";
import { type FeedPosition, type FeedQuery, type FeedShape, largeFeedPage, positionOfNth } from "./feed.js";
import { readWirePage, type Shorten, type WireRow } from "./pages.js";

export interface ClaimFilter {
  state: Claim["state"];
  claimable: AllowedWires;
  at: number;
  /** See `UnclaimedWires`. Only the state `open` uses it. */
  unclaimedAfter: number;
}

/**
 * If a state has more wires than this, the feed is scanned, because sorting them by votes would take longer.
 */
const MAX_SORTED = 1_000;
/** A page examines at most this many wires that may be finished or unclaimed. */
const MAX_SCANNED = 10_000;

export interface ClaimFeedPage extends Page<WireRow> {
  /** Where the next page begins, unless it begins after the last item. */
  end?: FeedPosition;
}

export async function claimFeedPage(
  session: Session,
  shape: FeedShape,
  query: FeedQuery,
  filter: ClaimFilter,
  shorten?: Shorten,
): Promise<ClaimFeedPage> {
  const { order } = shape;
  const { pk, voteCount } = query.after ?? { pk: undefined, voteCount: Number.MAX_SAFE_INTEGER };
  const end = await endOfUnclaimed(session, shape, query, filter);
  // Use the tighter of two bounds on the same side, because SQLite uses only one of them to search an index.
  const bound = { oldest: pk, newest: end && end.pk - 1, top: undefined }[order];
  const parts = partsOf(shape, { ...query, floor: Math.max(query.floor, bound ?? 0) }, filter);
  if (order === "top" && (end || (await hasMoreThan(session, parts, MAX_SORTED))))
    return scannedPage(session, shape, query, filter, shorten);
  const before = pk ?? Number.MAX_SAFE_INTEGER;
  const last = end?.pk ?? Number.MAX_SAFE_INTEGER;
  const ends = { oldest: [last], newest: [before], top: [voteCount, voteCount, before] }[order];
  const params = parts.flatMap((part) => [...part.params, ...ends]);
  const sql = (columns: string, limit: number) => {
    const selects = parts.map(({ from, wire }, n) => {
      const { after, by } = placeOf(order, wire);
      return `SELECT * FROM (SELECT ${columns} FROM ${from}${after} ORDER BY ${by} LIMIT ${limit}) part${n}`;
    });
    return `${selects.join(" UNION ALL ")} ORDER BY ${placeOf(order, "pk").by} LIMIT ${limit}`;
  };
  return untilEnd(await readWirePage(session, sql, params, shape.limit, shorten), end);
}

/**
 * Returns the position at which a page must end, because `MAX_SCANNED` wires may be unclaimed. Returns
 * undefined if fewer may be. For the order `top`, only whether a position is returned matters.
 */
async function endOfUnclaimed(
  session: Session,
  shape: FeedShape,
  query: FeedQuery,
  filter: ClaimFilter,
): Promise<FeedPosition | undefined> {
  if (filter.state !== "open") return undefined;
  const rootsOnly = hasRootsOnly(shape, filter);
  const range = { ...query, floor: rootsOnly ? Math.max(query.floor, filter.unclaimedAfter) : query.floor };
  if (shape.order !== "top") return positionOfNth(session, { ...shape, rootsOnly }, range, MAX_SCANNED);
  // Count by primary key, because the index of votes cannot skip the wires up to a floor.
  const newest: FeedShape = { ...shape, order: "newest", rootsOnly };
  return positionOfNth(session, newest, { ...range, after: undefined }, MAX_SCANNED);
}

/** Reads a page by checking the state of each wire of the feed. */
async function scannedPage(
  session: Session,
  shape: FeedShape,
  query: FeedQuery,
  filter: ClaimFilter,
  shorten?: Shorten,
): Promise<ClaimFeedPage> {
  const roots = { ...shape, rootsOnly: hasRootsOnly(shape, filter) };
  const end = await positionOfNth(session, roots, query, MAX_SCANNED);
  const sql = (at: string) => `${claimableSql(filter)} AND ${stateSql(filter, at)}`;
  return untilEnd(await largeFeedPage(session, roots, query, shorten, { sql, at: filter.at, end }), end);
}

/** If the search ended at `end` before the page was full, lets the next page begin there. */
function untilEnd(page: Page<WireRow>, end: FeedPosition | undefined): ClaimFeedPage {
  return page.hasMore || !end ? page : { ...page, hasMore: true, end };
}

function hasRootsOnly({ rootsOnly }: FeedShape, { claimable }: ClaimFilter): boolean {
  return rootsOnly || !(claimable.replies || claimable.parentsDecide);
}

/**
 * Returns the SQL condition for wires after a position (for `oldest`: up to a position), and the sort order.
 * @param wire SQL for the primary key; SQLite sorts by an index only if this is a column of the index
 */
function placeOf(order: FeedShape["order"], wire: string): { after: string; by: string } {
  switch (order) {
    case "oldest":
      return { after: ` AND ${wire} <= ?`, by: wire };
    case "newest":
      return { after: ` AND ${wire} < ?`, by: `${wire} DESC` };
    case "top":
      return {
        after: ` AND (vote_count < ? OR (vote_count = ? AND ${wire} < ?))`,
        by: `vote_count DESC, ${wire} DESC`,
      };
  }
}

/** The FROM and WHERE clauses that find some of the wires in a state. */
interface Part {
  from: string;
  wire: "c.wire" | "w.pk";
  params: number[];
}

function partsOf(shape: FeedShape, { space, floor }: FeedQuery, filter: ClaimFilter): Part[] {
  const { at, state, unclaimedAfter } = filter;
  const isRoots = hasRootsOnly(shape, filter);
  const roots = isRoots ? " AND w.reply_to IS NULL" : "";
  const claimed = (condition: string): Part => ({
    from: `claims c CROSS JOIN wires w WHERE w.pk = c.wire AND c.space = ? AND c.wire > ? AND ${condition}${roots} AND ${claimableSql(filter)}`,
    wire: "c.wire",
    params: [space, floor, at],
  });
  if (state === "done") return [claimed("c.done = 1 AND c.until > ?")];
  const unfinished = `c.until < ${FOREVER} AND c.until`;
  if (state === "claimed") return [claimed(`${unfinished} > ? AND c.done = 0`)];
  return [
    claimed(`${unfinished} <= ?`),
    {
      from: `wires w WHERE w.space = ? AND w.pk > ?${roots} AND ${claimableSql(filter)}
        AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.wire = w.pk)`,
      wire: "w.pk",
      params: [space, isRoots ? Math.max(floor, unclaimedAfter) : floor],
    },
  ];
}

async function hasMoreThan(session: Session, parts: readonly Part[], limit: number): Promise<boolean> {
  const all = parts.map(({ from }) => `SELECT 1 AS wire FROM ${from}`).join(" UNION ALL ");
  const row = await session.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT * FROM (${all}) found LIMIT ${limit + 1}) counted`,
    parts.flatMap(({ params }) => params),
  );
  return row!.n > limit;
}

function claimableSql({ claimable: { roots, replies, parentsDecide } }: ClaimFilter): string {
  const reply = parentsDecide
    ? `CASE WHEN w.parent_votable IS NULL THEN ${Number(replies)} ELSE w.parent_votable & 2 END`
    : Number(replies);
  return `w.removed_at IS NULL AND CASE WHEN w.reply_to IS NULL THEN ${Number(roots)} ELSE ${reply} END > 0`;
}

function stateSql({ state }: ClaimFilter, at: string): string {
  const active = (done: string) =>
    `EXISTS (SELECT 1 FROM claims c WHERE c.wire = w.pk AND c.until > ${at}${done})`;
  if (state === "open") return `NOT ${active("")}`;
  return active(` AND c.done = ${state === "done" ? 1 : 0}`);
}

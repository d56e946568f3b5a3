/** Full-text search in one space, or in a handle's direct messages (docs/specification/reading.md#search). */
import type { QueryNode } from "../../contract/query.js";
import type { Engine, SqlValue } from "../engine/engine.js";
import { type Sql, unprepared } from "../engine/sql.js";
import {
  BEST_FIRST,
  matcher,
  RANKED_MATCHES,
  type ScopeSearch,
  searchableTextOf,
  searchFor,
} from "../fulltext/index.js";
import {
  nextTurn,
  type PageRow,
  type Shorten,
  toWirePage,
  type WireRow,
  wiresByPk,
  withDocs,
} from "./pages.js";

type Sessions = Pick<Engine, "reader" | "searcher">;

export interface SearchQuery {
  /** A space's or a handle's scope in the index. */
  scope: string;
  node: QueryNode;
  /** Wires up to this primary key are hidden by retention, so the search omits them. */
  floor: number;
  offset: number;
  limit: number;
  shorten: Shorten | undefined;
}

export interface SearchPage {
  wires: readonly WireRow[];
  /** Null if nothing is left to search. */
  next: number | null;
}

/**
 * A page checks at most this many wires against the query, and this much JSON, because checking is slow. A
 * page that reaches a limit is short, and `next` continues the search.
 */
const MAX_CHECKED = RANKED_MATCHES;
const MAX_CHECKED_LENGTH = 2 * 1024 * 1024;
const SLICE_SIZE = 50;

/** The newest {@link RANKED_MATCHES} matches come first, by rank. Older ones follow, newest first. */
export async function searchWires(sessions: Sessions, query: SearchQuery): Promise<SearchPage> {
  const { offset, limit, shorten } = query;
  const search = searchFor(sessions.searcher.engine, "wires_fts", query.scope, query.node, query.floor);
  if (search === null) return { wires: [], next: null };
  if (!search.isExact) return filteredPage(sessions, query, search);
  const pks = await findCandidates(sessions, search, offset, limit + 1);
  const page = await toWirePage(sessions.reader, await wiresByPk(sessions.reader, pks), limit, shorten);
  const last = page.items.at(-1);
  // The page lacks wires that were deleted after the search, so continue after the last wire found.
  const next = offset + (last ? pks.indexOf(last.pk) + 1 : limit);
  return { wires: page.items, next: page.hasMore || pks.length > limit ? next : null };
}

async function findCandidates(
  { searcher }: Sessions,
  search: ScopeSearch,
  offset: number,
  count: number,
): Promise<number[]> {
  const find = async (sql: Sql, values: readonly SqlValue[], from: number, limit: number) =>
    (await searcher.all<{ rowid: number }>(sql, [...values, limit, from])).map(({ rowid }) => rowid);
  const findRanked = async () => {
    const { sql, values } = await search.ranked(searcher);
    const sorted = `SELECT rowid FROM (${sql}) found ORDER BY ${BEST_FIRST} LIMIT ? OFFSET ?`;
    return find(unprepared(sorted), values, offset, count);
  };
  const ranked = offset < RANKED_MATCHES ? await findRanked() : [];
  const end = offset + ranked.length;
  if (ranked.length === count || end < RANKED_MATCHES) return ranked;
  const older = unprepared(`${search.all.sql} ORDER BY rowid DESC LIMIT ? OFFSET ?`);
  return [...ranked, ...(await find(older, search.all.values, end, count - ranked.length))];
}

/** Checks each wire that the index finds, because an inexact search also finds unwanted wires. */
async function filteredPage(
  sessions: Sessions,
  query: SearchQuery,
  search: ScopeSearch,
): Promise<SearchPage> {
  const { offset, limit } = query;
  const { reader } = sessions;
  const candidates = await findCandidates(sessions, search, offset, MAX_CHECKED + 1);
  const isMatch = matcher(query.node);
  const found: PageRow[] = [];
  let slice = new Map<number, PageRow>();
  let checked = 0;
  for (let length = 0; checked < candidates.length && found.length <= limit; checked++) {
    if (checked === MAX_CHECKED || length > MAX_CHECKED_LENGTH) break;
    if (checked % SLICE_SIZE === 0) {
      const rows = await wiresByPk(reader, candidates.slice(checked, checked + SLICE_SIZE));
      slice = new Map(rows.map((row) => [row.pk, row]));
    }
    const row = slice.get(candidates[checked]!);
    // Load large wires one by one, and do not keep their JSON. A wire may have been deleted after the search.
    const [wire] = row ? await withDocs(reader, [row]) : [];
    if (!row || !wire) continue;
    if (isMatch(searchableTextOf(wire.doc))) found.push(row);
    length += wire.doc.length;
    // Analysing a long document blocks the event loop, so let other requests run.
    if (wire.doc.length > LONG_DOCUMENT) await nextTurn();
  }
  const { items, hasMore } = await toWirePage(reader, found, limit, query.shorten);
  if (hasMore) {
    const last = found.findIndex(({ pk }) => pk === items.at(-1)?.pk);
    return { wires: items, next: offset + candidates.indexOf(found[last + 1]!.pk) };
  }
  return { wires: items, next: checked < candidates.length ? offset + checked : null };
}

const LONG_DOCUMENT = 8 * 1024;

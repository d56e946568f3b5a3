/** Full-text search in one space (decisions, section 5). */
import type { QueryNode } from "../../contract/query.js";
import type { Session } from "../engine/engine.js";
import { once } from "../engine/sql.js";
import { matcher, RANKED_MATCHES, searchableText, searchFor } from "../fulltext/index.js";
import { type WireRow, wiresByPk } from "./pages.js";

/** Wires of a space that match, best first, from `offset` on. */
export async function searchSpace(
  session: Session,
  query: { space: number; node: QueryNode; offset: number; limit: number },
): Promise<WireRow[]> {
  const search = searchFor(session.engine, "wires_fts", String(query.space), query.node);
  if (search === null) return [];
  const ranked = once(`SELECT rowid FROM (${search.sql}) found ORDER BY rank, rowid DESC LIMIT ? OFFSET ?`);
  const find = (limit: number, offset: number) =>
    session.all<{ rowid: number }>(ranked, [...search.values, limit, offset]);
  if (search.exact) return wiresByPk(session, pksOf(await find(query.limit, query.offset)));
  return verified(session, query, pksOf(await find(RANKED_MATCHES, 0)));
}

/** Candidates that are read and checked at once, so that others are served in between. */
const SLICE = 100;

/** Of candidates that were found too widely, those that really match. */
async function verified(
  session: Session,
  query: { node: QueryNode; offset: number; limit: number },
  candidates: readonly number[],
): Promise<WireRow[]> {
  const isMatch = matcher(query.node);
  const found: WireRow[] = [];
  for (
    let start = 0;
    start < candidates.length && found.length < query.offset + query.limit;
    start += SLICE
  ) {
    const wires = await wiresByPk(session, candidates.slice(start, start + SLICE));
    found.push(...wires.filter((wire) => isMatch(searchTextOf(wire.doc))));
  }
  return found.slice(query.offset, query.offset + query.limit);
}

/** What search sees of a stored wire. */
function searchTextOf(doc: string): string {
  const wire = JSON.parse(doc) as { text_body: string | null; payload: unknown };
  return searchableText(wire.text_body, wire.payload);
}

const pksOf = (rows: readonly { rowid: number }[]) => rows.map((row) => row.rowid);

/** Full-text search in one space (decisions, section 5). */
import type { QueryNode } from "../contract/query.js";
import type { Session } from "./engine.js";
import { matches, matchExpression, searchableText } from "./fulltext/index.js";
import { type WireRow, wiresByPk } from "./wires.js";

/** Matches that are ranked; in a space that is larger, the newest of them. */
const RANKED = 2_000;

const RANKED_MATCHES = `
  SELECT pk FROM (
    SELECT rowid AS pk, rank FROM wires_fts WHERE wires_fts MATCH ? ORDER BY rowid DESC LIMIT ${RANKED}
  ) ORDER BY rank, pk DESC`;

/** Wires of a space that match, best first, from `offset` on. */
export async function searchSpace(
  session: Session,
  query: { space: number; node: QueryNode; offset: number; limit: number },
): Promise<WireRow[]> {
  const { match, exact } = matchExpression(String(query.space), query.node);
  if (match === null) return [];
  if (exact) {
    const rows = await session.all<{ pk: number }>(`${RANKED_MATCHES} LIMIT ? OFFSET ?`, [
      match,
      query.limit,
      query.offset,
    ]);
    return wiresByPk(session, pksOf(rows));
  }
  const candidates = await wiresByPk(session, pksOf(await session.all<{ pk: number }>(RANKED_MATCHES, [match])));
  const verified = candidates.filter((wire) => matches(query.node, searchTextOf(wire.doc)));
  return verified.slice(query.offset, query.offset + query.limit);
}

/** What search sees of a stored wire. */
function searchTextOf(doc: string): string {
  const wire = JSON.parse(doc) as { text_body: string | null; payload: unknown };
  return searchableText(wire.text_body, wire.payload);
}

const pksOf = (rows: readonly { pk: number }[]) => rows.map((row) => row.pk);

/** Builds the SELECTs of full-text searches. */
import type { QueryNode } from "../../contract/query.js";
import type { Session, SqlValue } from "../engine/engine.js";
import type { EngineName } from "../engine/sql.js";
import { conditionFor, type TermCondition } from "./conditions.js";
import { matchAllWords, matchExpression } from "./fts5.js";
import {
  boundedCounts,
  newestMatches,
  newestRankedBy,
  newestUnranked,
  RANKED_MATCHES,
} from "./fts5-table.js";
import { queryWords, toTerms } from "./terms.js";
import { COMMON_FROM, rankedMatches } from "./terms-table.js";

/** A lower rank means a better match. */
export interface Search {
  sql: string;
  values: SqlValue[];
}

/**
 * The best matches come first, and among equal ones the newest. Ranks are rounded, because the two engines
 * add numbers in different orders.
 */
export const BEST_FIRST = "round(rank * 1e9), rowid DESC";

export interface ScopeSearch {
  /** Finds only the newest {@link RANKED_MATCHES} matches. */
  ranked(session: Session): Promise<Search>;
  all: { sql: string; values: SqlValue[] };
  /** If false, filter the results with `matcher`. */
  isExact: boolean;
}

/**
 * Returns null if no document can match.
 * @param floor the search finds only documents with a higher primary key
 */
export function searchFor(
  engine: EngineName,
  table: string,
  scope: string,
  node: QueryNode,
  floor: number,
): ScopeSearch | null {
  if (engine === "postgres") {
    const terms = toTerms(node);
    if (terms === null) return null;
    const found = conditionFor(scope, terms);
    const condition = floor > 0 ? { ...found, sql: `(${found.sql}) AND rowid > ${floor}` } : found;
    const { sql, isExact } = condition;
    const all = { sql: `SELECT rowid FROM ${table} WHERE ${sql}`, values: valuesOf(condition) };
    return { ranked: async () => searchTerms(table, condition, RANKED_MATCHES), all, isExact };
  }
  const { match, isExact, rankedPhrases } = matchExpression(scope, node);
  if (match === null) return null;
  const all = {
    sql: `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid > ?`,
    values: [match, floor],
  };
  return {
    ranked: (session) => rankedFts5Search(session, table, match, rankedPhrases, floor),
    all,
    isExact,
  };
}

/**
 * Builds a search whose rank ignores common phrases, because FTS5 would count all documents that contain
 * them.
 */
async function rankedFts5Search(
  session: Session,
  table: string,
  match: string,
  phrases: readonly string[],
  floor: number,
): Promise<Search> {
  const sql = boundedCounts(table, COMMON_FROM);
  const counts = await session.all<{ documents: number }>(sql, [JSON.stringify(phrases)]);
  const rare = phrases.filter((_, n) => counts[n]!.documents < COMMON_FROM);
  if (rare.length === phrases.length) return { sql: newestMatches(table), values: [match, floor] };
  if (rare.length === 0) return { sql: newestUnranked(table), values: [match, floor] };
  return { sql: newestRankedBy(table), values: [match, floor, rare.join(" OR ")] };
}

/** Returns null if `q` contains only stop words. */
export function searchForAllWords(
  engine: EngineName,
  table: string,
  scope: string,
  q: string,
): Search | null {
  if (engine === "postgres") {
    const words = queryWords(q);
    if (words.length === 0) return null;
    const nodes = words.map((term) => ({ kind: "terms" as const, terms: [{ term, position: 1 }] }));
    return searchTerms(table, conditionFor(scope, { kind: "and", nodes }), undefined);
  }
  const match = matchAllWords(scope, q);
  if (match === null) return null;
  return { sql: `SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ?`, values: [match] };
}

function searchTerms(table: string, condition: TermCondition, maxMatches: number | undefined): Search {
  const values = [arrayLiteral(condition.rankedTokens), ...valuesOf(condition)];
  return { sql: rankedMatches(table, condition.sql, maxMatches), values };
}

function valuesOf({ tokens }: TermCondition): string[] {
  return tokens.map(arrayLiteral);
}

/** Serialises strings as a PostgreSQL array literal. */
function arrayLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** A search as an engine runs it: rows of `rowid` and `rank`, lower the more relevant. */
import type { QueryNode } from "../../contract/query.js";
import type { SqlValue } from "../engine/engine.js";
import type { EngineName } from "../engine/sql.js";
import { analyse } from "./analyse.js";
import { type Condition, conditionFor } from "./conditions.js";
import { matchAllWords, matchExpression } from "./fts5.js";
import { plainWords } from "./searchable-text.js";
import { newestMatches, RANKED_MATCHES } from "./table.js";
import { toTerms } from "./terms.js";
import { rankedTerms } from "./terms-table.js";

export interface Search {
  sql: string;
  values: SqlValue[];
  /** Whether it finds just the right documents. If not, it finds some more: keep those that the `matcher` takes. */
  exact: boolean;
}

/** The newest matches of a query among the documents of a scope; `null` when nothing can match. */
export function searchFor(engine: EngineName, table: string, scope: string, node: QueryNode): Search | null {
  if (engine === "postgres") {
    const terms = toTerms(node);
    return terms && inTerms(table, conditionFor(scope, terms), RANKED_MATCHES);
  }
  const { match, exact } = matchExpression(scope, node);
  if (match === null) return null;
  return { sql: newestMatches(table), values: [match], exact };
}

/** The documents of a scope that hold all words of `q`; `null` when there is no usable word. See `matchAllWords`. */
export function searchForAllWords(
  engine: EngineName,
  table: string,
  scope: string,
  q: string,
): Search | null {
  if (engine === "postgres") {
    const terms = analyse(plainWords(q));
    if (terms.length === 0) return null;
    const nodes = terms.map((term) => ({ kind: "terms" as const, terms: [term] }));
    return inTerms(table, conditionFor(scope, { kind: "and", nodes }), undefined);
  }
  const match = matchAllWords(scope, q);
  if (match === null) return null;
  return { sql: `SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ?`, values: [match], exact: true };
}

function inTerms(
  table: string,
  { sql, tokens, wanted, exact }: Condition,
  bound: number | undefined,
): Search {
  const values = [arrayText(wanted), ...tokens.map(arrayText)];
  return { sql: rankedTerms(table, sql, bound), values, exact };
}

/** PostgreSQL's text of an array. */
function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

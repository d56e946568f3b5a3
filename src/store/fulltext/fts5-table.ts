/**
 * Maximum number of matches to rank. Only the newest ones are ranked, because ranking reads the positions of
 * every match. Without this limit, a search for a common word would become slower as the space grows.
 */
export const RANKED_MATCHES = 2000;

/**
 * Returns a SELECT of the newest matches with their rank. Its parameters are the MATCH expression, and the
 * rowid after which matches begin.
 */
export function newestMatches(table: string): string {
  return `SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ${RANKED_MATCHES}`;
}

/**
 * Returns a SELECT of the newest matches, all with the same rank. It has the parameters of {@link
 * newestMatches}.
 */
export function newestUnranked(table: string): string {
  return `SELECT rowid, 0 AS rank FROM ${table} WHERE ${table} MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ${RANKED_MATCHES}`;
}

/**
 * Returns a SELECT of the newest matches, ranked by a second expression. Its parameters are those of {@link
 * newestMatches}, followed by the second expression. A document that only the first expression matches has
 * the rank 0, which is the worst.
 */
export function newestRankedBy(table: string): string {
  return `WITH newest AS MATERIALIZED (
      SELECT rowid AS pk FROM ${table} WHERE ${table} MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ${RANKED_MATCHES}
    ), ranks AS MATERIALIZED (
      SELECT rowid AS pk, rank AS score FROM ${table} WHERE ${table} MATCH ? AND rowid >= (SELECT min(pk) FROM newest)
    )
    SELECT n.pk AS rowid, coalesce(r.score, 0) AS rank FROM newest n LEFT JOIN ranks r ON r.pk = n.pk`;
}

/**
 * Returns a SELECT that counts each expression's matching documents, up to `limit`. Its parameter contains
 * the expressions as a JSON array. The rows have the order of this array.
 */
export function boundedCounts(table: string, limit: number): string {
  return `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH j.value LIMIT ${limit})) AS documents
    FROM json_each(?) j ORDER BY j.key`;
}

/**
 * Only this many of the newest matches are ranked, because ranking reads every position of a match. Without
 * this limit, a search for a common word would become slower as the space grows.
 */
export const RANKED_MATCHES = 2000;

/** Parameters: the MATCH expression, and the rowid after which matches begin. */
export function newestMatches(table: string): string {
  return `SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ${RANKED_MATCHES}`;
}

/** Parameters: those of {@link newestMatches}. */
export function newestUnranked(table: string): string {
  return `SELECT rowid, 0 AS rank FROM ${table} WHERE ${table} MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ${RANKED_MATCHES}`;
}

/**
 * The rank comes from a second expression, which is the last parameter. A document that it does not match has
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

/** Counts each expression's matches, up to `limit`. Parameter: a JSON array of expressions. */
export function boundedCounts(table: string, limit: number): string {
  return `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH j.value LIMIT ${limit})) AS documents
    FROM json_each(?) j ORDER BY j.key`;
}

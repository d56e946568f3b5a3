/**
 * Returns the DDL of a full-text table for SQLite. Its only column, `terms`, contains the result of
 * `scopedTerms`. Its rowids are the primary keys of the indexed table.
 *
 * - `content=''`: the table stores only the index and not the terms, because the terms are never read back.
 * - `contentless_delete=1`: a row can be deleted by its rowid. A later merge of the index removes its terms
 *   from the file. The number of rows that bm25 uses never goes down: deleted documents raise the weight of
 *   all words, of common words most.
 * - `ascii` with `tokenchars`: only spaces separate tokens. The list contains all punctuation that a term can
 *   contain, which are the characters of URLs.
 * - The defaults `detail=full` and `columnsize=1` are needed, because phrases use positions and bm25 uses
 *   document lengths.
 */
export function createFts5Table(table: string): string {
  const characters = "!#$%&'()*+,-./:;=?@[]_~".replaceAll("'", "''");
  return `CREATE VIRTUAL TABLE ${table} USING fts5(
    terms, content='', contentless_delete=1, tokenize="ascii tokenchars '${characters}'"
  )`;
}

/**
 * Maximum number of matches that are ranked. If there are more, only the newest are ranked. Ranking reads the
 * positions of every match, so without a limit, a search for a common word would become slower as the space
 * grows.
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
 * Returns a SELECT of the newest matches, which all have the same rank. Its parameters are those of
 * {@link newestMatches}.
 */
export function newestUnranked(table: string): string {
  return `SELECT rowid, 0 AS rank FROM ${table} WHERE ${table} MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ${RANKED_MATCHES}`;
}

/**
 * Returns a SELECT of the newest matches, ranked by another expression. Its parameters are those of
 * {@link newestMatches}, and the expression of the rank. A match that the latter does not match has the rank
 * 0, which is the worst.
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
 * Returns a SELECT that counts the documents of each expression, up to `limit`. Its parameter is the
 * expressions as a JSON array. Its rows are in the same order.
 */
export function boundedCounts(table: string, limit: number): string {
  return `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH j.value LIMIT ${limit})) AS documents
    FROM json_each(?) j ORDER BY j.key`;
}

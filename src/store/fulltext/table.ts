/**
 * The FTS5 tables of a SQLite store. Every table has one column, `terms`, written by `indexText`; its rowids are those
 * of the table that is searched.
 *
 * - `content=''`: no copy of the terms is kept beside the index, as nobody reads them back.
 * - `contentless_delete=1`: a row can be deleted (a tombstoned wire), and replaced, by its rowid alone. It is not
 *   found from then on; its terms leave the file when FTS5 next merges that part of the index.
 * - `ascii` with these `tokenchars`: a token is what stands between spaces. They are all the punctuation that a term
 *   can hold, the characters of URLs. The tokenizer folds A to Z only, and the terms are in lower case already.
 * - `detail=full`, the default: phrases need positions. `columnsize=1`, the default: bm25 needs lengths.
 */
export function createSearchTable(table: string): string {
  const characters = "!#$%&'()*+,-./:;=?@[]_~".replaceAll("'", "''");
  return `CREATE VIRTUAL TABLE ${table} USING fts5(
    terms, content='', contentless_delete=1, tokenize="ascii tokenchars '${characters}'"
  )`;
}

/**
 * Matches that are ranked: the newest ones. Ranking reads the positions of every match, so in a large space a common
 * word would cost time in proportion to the space.
 */
export const RANKED_MATCHES = 2000;

/** The newest rows that match, each with its rank, lower the more relevant; parameter: the MATCH expression. */
export function newestMatches(table: string): string {
  return `SELECT rowid, rank FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ${RANKED_MATCHES}`;
}

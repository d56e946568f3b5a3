/** DDL of the full-text tables. `src/store/fulltext` reads and writes these tables. */

/**
 * Returns the DDL of a full-text table for SQLite. Its only column, `terms`, contains the result of
 * `scopedTerms`. Its rowids are the indexed table's primary keys.
 *
 * - `content=''`: the table stores only the index and not the terms, because the terms are never read back.
 * - `contentless_delete=1`: a row can be deleted by its rowid. A later merge of the index removes the row's
 *   terms from the file. But the number of rows that bm25 uses never decreases, so deleted documents raise
 *   the weight of all words, especially of common words.
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
 * Returns the DDL of a full-text table for PostgreSQL. The table stores the tokens of `scopedTerms` as an
 * array with a GIN index. It does not use `tsvector`, for two reasons: both engines must find the same
 * documents, and `tsvector` drops positions above 16,383.
 */
export function createTermsTable(table: string): string {
  return `CREATE TABLE ${table} (
      rowid bigint PRIMARY KEY,
      terms text[] COLLATE "C" NOT NULL,
      length integer GENERATED ALWAYS AS (cardinality(terms)) STORED
    );
    CREATE INDEX ${table}_terms ON ${table} USING gin (terms)`;
}

/**
 * Returns the PostgreSQL DDL that marks all rows as tokens of version 1. During a rolling update, a daemon of
 * that version may add more such rows.
 */
export function addTokensVersion(table: string): string {
  return `ALTER TABLE ${table} ADD COLUMN tokens smallint NOT NULL DEFAULT 1;
    CREATE INDEX ${table}_stale ON ${table} (rowid) WHERE tokens < 2`;
}

/**
 * Returns the SQLite statement that marks all rows as outdated tokens. Rows are replaced from the newest to
 * the oldest, and `meta` stores the rowid of the next row to replace.
 */
export function markAllStale(table: string): string {
  return `INSERT INTO meta (name, value)
    SELECT '${nameOfNextStale(table)}', rowid FROM ${table} ORDER BY rowid DESC LIMIT 1`;
}

/** Returns the name in `meta` under which the next row to reindex is stored. */
export function nameOfNextStale(table: string): string {
  return `next_stale_${table}`;
}

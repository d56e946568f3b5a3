/** The DDL of full-text tables. `src/store/fulltext` reads and writes them. */

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
 * Returns the DDL of a full-text table for PostgreSQL. The table stores the tokens of `scopedTerms` as an
 * array, with a GIN index. It does not use `tsvector`, because both engines must find the same documents, and
 * because `tsvector` drops positions above 16,383.
 */
export function createTermsTable(table: string): string {
  return `CREATE TABLE ${table} (
      rowid bigint PRIMARY KEY,
      terms text[] COLLATE "C" NOT NULL,
      length integer GENERATED ALWAYS AS (cardinality(terms)) STORED
    );
    CREATE INDEX ${table}_terms ON ${table} USING gin (terms)`;
}

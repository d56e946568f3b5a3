/**
 * The tables of terms of a PostgreSQL store: the tokens of `indexText` as an array, in their order, under a GIN index.
 * Not `to_tsvector`: the analysis is the application's, so that both engines find the same, and a `tsvector` would forget
 * positions from 16,383 on.
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
 * What bm25 is made of, with FTS5's constants. A word that is in most documents still counts a little. That there are
 * fewer documents than hold the word is what a planner's estimate of long ago may say.
 */
const IDF =
  "greatest(ln((greatest(c.documents, f.documents) - f.documents + 0.5) / (f.documents + 0.5)), 1e-6)";
const SCORE = "w.weight * h.hits * 2.2 / (h.hits + 1.2 * (0.25 + 0.75 * m.length / c.length))";

/** Documents that are counted to learn how many there are and how long; of a larger table the planner's estimate is taken. */
const SAMPLE = 1_000;
/** Documents that hold a word are counted up to here: whether it is in more makes it no less telling. */
const COUNTED = 10_000;

/**
 * The rows that match, each with its rank: bm25 over the words that are wanted, lower the more relevant, as FTS5 counts
 * it. Parameters: the words as a `text[]`, then those of the condition.
 * @param bound newest matches that are ranked, all of them without
 */
export function rankedTerms(table: string, condition: string, bound: number | undefined): string {
  return `WITH
    sample AS (SELECT length FROM ${table} LIMIT ${SAMPLE}),
    c AS MATERIALIZED (SELECT greatest(count(*),
        CASE WHEN count(*) < ${SAMPLE} THEN 0 ELSE (SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass) END
      )::float8 AS documents, coalesce(avg(length), 1)::float8 AS length FROM sample),
    words AS MATERIALIZED (SELECT word, ${IDF} AS weight FROM c, unnest(?::text[]) word, LATERAL (
        SELECT count(*)::float8 AS documents
        FROM (SELECT 1 FROM ${table} WHERE terms @> ARRAY[word] LIMIT ${COUNTED}) holding) f)
    SELECT m.rowid, (SELECT -coalesce(sum(${SCORE}), 0) FROM words w, LATERAL (
        SELECT cardinality(array_positions(m.terms, w.word))::float8 AS hits) h) AS rank
    FROM c, (SELECT rowid, terms, length FROM ${table} WHERE ${condition}
      ${bound === undefined ? "" : `ORDER BY rowid DESC LIMIT ${bound}`}) m`;
}

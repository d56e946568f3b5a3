/** Version of the token format that this release writes. `reindexing.ts` replaces older tokens. */
export const TOKENS_VERSION = 2;

/**
 * The bm25 formula with the constants of FTS5. PostgreSQL's estimate of the document count may be too low, so
 * the count is at least the number of documents that contain the word.
 */
const IDF =
  "greatest(ln((greatest(c.documents, f.documents) - f.documents + 0.5) / (f.documents + 0.5)), 1e-6)";
const SCORE = "w.weight * h.hits * 2.2 / (h.hits + 1.2 * (0.25 + 0.75 * m.length / c.length))";

/** Number of documents from which the average length is computed. */
const SAMPLE = 1_000;
/**
 * A word in at least this many wires of a space does not count for relevance
 * (docs/specification/reading.md#search), because counting its wires would become slower as the space grows.
 */
export const COMMON_FROM = 10_000;

/**
 * Returns a SELECT of matching rows. Their rank is the negative bm25 score, as in FTS5.
 * @param maxMatches maximum number of newest matches to rank; if undefined, all matches are ranked
 */
export function rankedMatches(table: string, condition: string, maxMatches: number | undefined): string {
  const weight =
    maxMatches === undefined ? IDF : `CASE WHEN f.documents < ${COMMON_FROM} THEN ${IDF} ELSE 0 END`;
  return `WITH
    sample AS (SELECT length FROM ${table} LIMIT ${SAMPLE}),
    c AS MATERIALIZED (SELECT greatest(count(*),
        CASE WHEN count(*) < ${SAMPLE} THEN 0 ELSE (SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass) END
      )::float8 AS documents, coalesce(avg(length), 1)::float8 AS length FROM sample),
    words AS MATERIALIZED (SELECT word, ${weight} AS weight FROM c, unnest(?::text[]) word, LATERAL (
        SELECT count(*)::float8 AS documents
        FROM (SELECT 1 FROM ${table} WHERE terms @> ARRAY[word] LIMIT ${COMMON_FROM}) holding) f)
    SELECT m.rowid, (SELECT -coalesce(sum(${SCORE}), 0) FROM words w, LATERAL (
        SELECT cardinality(array_positions(m.terms, w.word))::float8 AS hits) h) AS rank
    FROM c, (SELECT rowid, terms, length FROM ${table} WHERE ${condition}
      ${maxMatches === undefined ? "" : `ORDER BY rowid DESC LIMIT ${maxMatches}`}) m`;
}

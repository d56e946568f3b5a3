/**
 * A parsed search query (docs/specification/reading.md#search). The grammar is that of PostgreSQL's
 * `websearch_to_tsquery`, and applies to both database engines:
 *
 * ```
 * query    = all { "or" all }            "or" is case-insensitive and needs an operand on both sides
 * all      = operand { operand }         a document must match every operand
 * operand  = { "-" } ( word | phrase )   each "-" negates
 * phrase   = '"' { any but '"' } [ '"' ] the closing quote may be missing at the end of the query
 * word     = a run of characters other than blanks, '"', ':' and ! & | ( ) <
 * ```
 *
 * `-` binds tightest, then "and", then "or". There are no parentheses. All other characters are ignored.
 */
export type QueryNode =
  | {
      /**
       * The text to search for. Its words must be adjacent, because they come from a quoted phrase or from a
       * compound such as `snake_case`.
       */
      readonly kind: "text";
      readonly text: string;
    }
  | { readonly kind: "not"; readonly node: QueryNode }
  | { readonly kind: "and"; readonly nodes: readonly QueryNode[] }
  | { readonly kind: "or"; readonly nodes: readonly QueryNode[] };

/**
 * Maximum number of words in a search. The database reads each word's index entries, so many words would be
 * slow. Stop words and repetitions do not count. Words beyond the maximum are ignored.
 */
export const MAX_QUERY_WORDS = 32;

/**
 * Maximum length of a search query in UTF-16 code units. The rest is ignored, so that no search keeps the
 * database busy for long.
 */
export const MAX_QUERY_LENGTH = 4096;

/**
 * What a person types into a search box, once parsed (decisions, section 5). The grammar is that of PostgreSQL's
 * `websearch_to_tsquery`, so that both stores read one language:
 *
 * ```
 * query    = all { "or" all }            "or" in any case, between two operands only
 * all      = operand { operand }         a document must satisfy every one
 * operand  = { "-" } ( word | phrase )   each "-" negates
 * phrase   = '"' { any but '"' } [ '"' ] a missing closing quote closes at the end
 * word     = a run of characters that are not blank, '"', ':' or one of ! & | ( ) <
 * ```
 *
 * `-` binds tightest, then "and", then "or"; there are no parentheses. Everything else that is typed is ignored.
 */
export type QueryNode =
  | {
      /**
       * Text to look for, still as typed: its analysis (stemming, stop words, compounds) is the store's. When it
       * holds several words they must follow each other, whether it was quoted or is one compound such as `snake_case`.
       */
      readonly kind: "text";
      readonly text: string;
    }
  | { readonly kind: "not"; readonly node: QueryNode }
  | { readonly kind: "and"; readonly nodes: readonly QueryNode[] }
  | { readonly kind: "or"; readonly nodes: readonly QueryNode[] };

/**
 * UTF-16 code units of a query that count; what follows is ignored. It bounds the work of a search: longer than any
 * sentence, and short enough that a query of nothing but distinct words takes a store milliseconds.
 */
export const MAX_QUERY_LENGTH = 4096;

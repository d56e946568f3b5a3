/** Builds indexed texts and MATCH expressions for FTS5, which is SQLite's full-text index. */
import type { QueryNode } from "../../contract/query.js";
import { analyse } from "./analyse.js";
import { queryWords, type Term, type TermNode, toTerms } from "./terms.js";

export interface MatchExpression {
  /** Null if no document can match. */
  readonly match: string | null;
  /** If false, filter the results with `matcher`. */
  readonly isExact: boolean;
  /** All phrases of the query except excluded ones. */
  readonly rankedPhrases: readonly string[];
}

/** Returns a text's tokens for the index: its terms, each prefixed with the scope, such as a space. */
export function scopedTerms(scope: string, text: string): string {
  return inScope(scope, termsOf(text));
}

/** Terms are separated by spaces. An empty string between two spaces stands for a stop word. */
export function termsOf(text: string): string {
  return joinTerms(analyse(text).terms);
}

export function joinTerms(terms: readonly string[]): string {
  return terms.join(" ").trimEnd();
}

/**
 * Returns the tokens to index for a document, separated by spaces. Each token is a scope and a term, such as
 * `42:cat`. Each scope (`scopes.ts`, or a kind of entity) has its own posting lists and document frequencies.
 *
 * The first token is the scope with an empty term, such as `42:`. Queries that only exclude words use this
 * token to match all documents. The same token replaces stop words, so that the other terms keep their
 * positions.
 * @param terms the result of {@link termsOf}
 */
export function inScope(scope: string, terms: string): string {
  const first = token(scope, "");
  return terms === "" ? first : `${first} ${first}${terms.replaceAll(" ", ` ${first}`)}`;
}

export function matchExpression(scope: string, node: QueryNode): MatchExpression {
  const terms = toTerms(node);
  if (!terms) return { match: null, isExact: true, rankedPhrases: [] };
  const builder = new ExpressionBuilder(scope);
  const match = builder.superset(terms);
  const rankedPhrases = builder.rankedPhrases.size > 0 ? [...builder.rankedPhrases] : [quote(scope, [""])];
  return { match, isExact: builder.exact, rankedPhrases };
}

/**
 * Matches documents that contain all words of `q` in any order. Returns null if `q` contains only stop words.
 */
export function matchAllWords(scope: string, q: string): string | null {
  const words = queryWords(q).map((word) => quote(scope, [word]));
  return words.length > 0 ? words.join(" AND ") : null;
}

/**
 * FTS5 cannot match the gap that a stop word leaves in a phrase, as in "cost of living". For such a phrase,
 * `superset` may match too many documents, and `subsets` omits the phrase.
 */
class ExpressionBuilder {
  exact = true;
  readonly rankedPhrases = new Set<string>();

  constructor(private readonly scope: string) {}

  superset(node: TermNode): string {
    switch (node.kind) {
      case "terms":
        for (const phrase of this.phrasesOf(node.terms)) this.rankedPhrases.add(phrase);
        return this.sequence(node.terms);
      case "not":
        return this.conjunction([], [node.node]);
      case "and":
        return this.conjunction(
          node.nodes.filter((inner) => inner.kind !== "not"),
          node.nodes.flatMap((inner) => (inner.kind === "not" ? [inner.node] : [])),
        );
      case "or":
        return `(${unique(node.nodes.map((inner) => this.superset(inner))).join(" OR ")})`;
    }
  }

  /** If no part is wanted, the left operand of NOT matches all documents. */
  private conjunction(wanted: readonly TermNode[], excluded: readonly TermNode[]): string {
    const positive = unique(wanted.map((inner) => this.superset(inner))).join(" AND ");
    const negative = unique(excluded.flatMap((inner) => this.subsets(inner))).join(" OR ");
    const base = positive === "" ? quote(this.scope, [""]) : positive;
    return negative === "" ? `(${base})` : `((${base}) NOT (${negative}))`;
  }

  /**
   * Builds expressions for documents to exclude. Omits phrases with a gap, which FTS5 cannot match exactly.
   */
  private subsets(node: TermNode): string[] {
    if (node.kind === "or") return node.nodes.flatMap((inner) => this.subsets(inner));
    if (node.kind === "terms" && splitAtGaps(node.terms).length === 1) return [this.sequence(node.terms)];
    this.exact = false;
    return [];
  }

  /**
   * A stop word leaves a gap in a phrase, which needs the operator NEAR. Each NEAR joins only two neighbours,
   * because a NEAR with hundreds of operands is very slow.
   */
  private sequence(terms: readonly Term[]): string {
    const groups = splitAtGaps(terms);
    const phrases = this.phrasesOf(terms);
    if (phrases.length === 1) return phrases[0] ?? "";
    this.exact = false;
    const pairs = groups
      .slice(1)
      .map((group, n) => `NEAR(${phrases[n]} ${phrases[n + 1]}, ${tokensBetween(groups[n]!, group)})`);
    return `(${unique(pairs).join(" AND ")})`;
  }

  private phrasesOf(terms: readonly Term[]): string[] {
    return splitAtGaps(terms).map((group) =>
      quote(
        this.scope,
        group.map(({ term }) => term),
      ),
    );
  }
}

/** Splits terms into groups with consecutive positions. */
function splitAtGaps(terms: readonly Term[]): Term[][] {
  const found: Term[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const term of terms) {
    if (term.position === last + 1) found.at(-1)?.push(term);
    else found.push([term]);
    last = term.position;
  }
  return found;
}

function tokensBetween(one: readonly Term[], next: readonly Term[]): number {
  return next[0]!.position - one.at(-1)!.position - 1;
}

/** Terms contain no quotation marks. */
function quote(scope: string, terms: readonly string[]): string {
  return `"${terms.map((term) => token(scope, term)).join(" ")}"`;
}

function token(scope: string, term: string): string {
  return `${scope}:${term}`;
}

function unique(parts: readonly string[]): string[] {
  return [...new Set(parts)];
}

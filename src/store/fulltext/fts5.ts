import type { QueryNode } from "../../contract/query.js";
import { analyse, type Term, termsByPosition } from "./analyse.js";
import { plainWords } from "./searchable-text.js";
import { type TermNode, toTerms } from "./terms.js";

/** An FTS5 query. */
export interface Match {
  /** What to give to `MATCH`; `null` when nothing can match: answer an empty list. */
  readonly match: string | null;
  /** Whether it finds just the right documents. If not, it finds some more: keep those that the `matcher` of the query takes. */
  readonly exact: boolean;
}

/**
 * The text to store in the FTS5 column for a document of a scope (a space's number, or a type of thing): its terms,
 * each with the scope before it, so that posting lists and document frequencies are the scope's own.
 *
 * Every document begins with the scope's blank, a token without a term: the pattern that finds all documents, for
 * queries that only exclude. The blank also stands where a stop word was, to keep the positions.
 */
export function indexText(scope: string, text: string): string {
  const terms = termsByPosition(text);
  while (terms.at(-1) === "") terms.pop();
  // The blank at the beginning, then every term, with the scope before each.
  return token(scope, "") + ["", ...terms].join(` ${token(scope, "")}`);
}

/** Translates a parsed query into FTS5's language, for documents stored by {@link indexText}. */
export function matchExpression(scope: string, node: QueryNode): Match {
  const terms = toTerms(node);
  if (!terms) return { match: null, exact: true };
  const translation = new Translation(scope);
  return { match: translation.wider(terms), exact: translation.exact };
}

/**
 * The FTS5 query for the documents of a scope that hold all words of `q`, in any order; there are no operators. The
 * documents must have been stored as `indexText(scope, plainWords(text))`. `null` when there is no usable word.
 */
export function matchAllWords(scope: string, q: string): string | null {
  const words = new Set(analyse(plainWords(q)).map(({ term }) => quote(scope, [term])));
  return words.size > 0 ? [...words].join(" AND ") : null;
}

/**
 * FTS5 can ask that tokens follow each other, but not that exactly one unknown token stands between two of them, as a
 * stop word in a phrase demands. So each part of a query is translated to one that finds all that it should, and
 * perhaps more (wider), or, under a "not", to one that finds nothing that it should not (narrower).
 */
class Translation {
  exact = true;

  constructor(private readonly scope: string) {}

  wider(node: TermNode): string {
    switch (node.kind) {
      case "terms":
        return this.sequence(node.terms);
      case "not":
        return this.conjunction([], [node.node]);
      case "and":
        return this.conjunction(
          node.nodes.filter((inner) => inner.kind !== "not"),
          node.nodes.flatMap((inner) => (inner.kind === "not" ? [inner.node] : [])),
        );
      case "or":
        return `(${unique(node.nodes.map((inner) => this.wider(inner))).join(" OR ")})`;
    }
  }

  /** FTS5 knows "this but not that" only, so there must be something to exclude from. */
  private conjunction(wanted: readonly TermNode[], excluded: readonly TermNode[]): string {
    const positive = unique(wanted.map((inner) => this.wider(inner))).join(" AND ");
    const negative = unique(excluded.flatMap((inner) => this.narrower(inner) ?? [])).join(" OR ");
    const base = positive === "" ? quote(this.scope, [""]) : positive;
    return negative === "" ? `(${base})` : `((${base}) NOT (${negative}))`;
  }

  /** `null` for a part that no narrower query expresses: nothing is then excluded. */
  private narrower(node: TermNode): string | null {
    if (node.kind === "terms" && groups(node.terms).length === 1) return this.sequence(node.terms);
    this.exact = false;
    return null;
  }

  /** Terms that follow each other; where there are gaps, at most that far apart and in any order. */
  private sequence(terms: readonly Term[]): string {
    const phrases = groups(terms).map((group) =>
      quote(
        this.scope,
        group.map(({ term }) => term),
      ),
    );
    if (phrases.length === 1) return phrases[0] ?? "";
    this.exact = false;
    return `NEAR(${phrases.join(" ")}, ${tokensBetween(groups(terms))})`;
  }
}

/** Splits terms where positions are missing. */
function groups(terms: readonly Term[]): Term[][] {
  const found: Term[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const term of terms) {
    if (term.position === last + 1) found.at(-1)?.push(term);
    else found.push([term]);
    last = term.position;
  }
  return found;
}

/** What FTS5's NEAR counts: the tokens after the first phrase and before the last one. */
function tokensBetween(phrases: readonly Term[][]): number {
  const first = phrases[0]?.at(-1)?.position ?? 0;
  const last = phrases.at(-1)?.[0]?.position ?? 0;
  return last - first - 1;
}

/** A phrase of terms. No token holds a quotation mark. */
function quote(scope: string, terms: readonly string[]): string {
  return `"${terms.map((term) => token(scope, term)).join(" ")}"`;
}

function token(scope: string, term: string): string {
  return `${scope}:${term}`;
}

function unique(parts: readonly string[]): string[] {
  return [...new Set(parts)];
}

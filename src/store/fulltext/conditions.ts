/** Translates search queries into SQL conditions for PostgreSQL. */
import type { TermNode } from "./terms.js";

export interface TermCondition {
  readonly sql: string;
  /** Each value is an array of tokens for one `?` in `sql`. */
  readonly tokens: readonly (readonly string[])[];
  /** All tokens of the query except excluded ones. */
  readonly rankedTokens: readonly string[];
  /** If false, filter the results with `matcher`. */
  readonly isExact: boolean;
}

/**
 * The index stores no word positions, so the condition may match documents with a phrase's words in another
 * order. If `isExact` is false, filter the documents with `matcher`.
 */
export function conditionFor(scope: string, node: TermNode): TermCondition {
  return new ConditionBuilder(scope).build(node);
}

class ConditionBuilder {
  private readonly tokens: string[][] = [];
  private readonly rankedTokens = new Set<string>();
  private isExact = true;
  private excludes = false;

  constructor(private readonly scope: string) {}

  build(node: TermNode): TermCondition {
    let sql = this.nodeSql(node, true);
    if (this.excludes) {
      // NOT also matches documents of other scopes, such as other spaces, so require the token that every
      // document of this scope contains.
      sql = `(${sql}) AND ${this.containsAll([`${this.scope}:`])}`;
    }
    const rankedTokens = this.rankedTokens.size > 0 ? [...this.rankedTokens] : [`${this.scope}:`];
    return { sql, tokens: this.tokens, rankedTokens, isExact: this.isExact };
  }

  private nodeSql(node: TermNode, isRanked: boolean): string {
    switch (node.kind) {
      case "terms":
        return this.containsAll(this.tokensOf(node, isRanked));
      case "not": {
        if (hasPhrase(node.node)) {
          this.isExact = false;
          this.excludes = true;
          return "true";
        }
        this.excludes = true;
        return `NOT (${this.nodeSql(node.node, false)})`;
      }
      case "and": {
        // With one array, PostgreSQL scans the index once, and one prepared statement serves any number of
        // words.
        const wanted = node.nodes.flatMap((inner) =>
          inner.kind === "terms" ? this.tokensOf(inner, isRanked) : [],
        );
        const others = node.nodes.filter((inner) => inner.kind !== "terms");
        const conditions = wanted.length > 0 ? [this.containsAll([...new Set(wanted)])] : [];
        return [...conditions, ...others.map((inner) => `(${this.nodeSql(inner, isRanked)})`)].join(" AND ");
      }
      case "or":
        return node.nodes.map((inner) => `(${this.nodeSql(inner, isRanked)})`).join(" OR ");
    }
  }

  private tokensOf({ terms }: TermNode & { kind: "terms" }, isRanked: boolean): string[] {
    const tokens = terms.map(({ term }) => `${this.scope}:${term}`);
    if (tokens.length > 1) this.isExact = false;
    if (isRanked) for (const token of tokens) this.rankedTokens.add(token);
    return tokens;
  }

  private containsAll(tokens: string[]): string {
    this.tokens.push(tokens);
    return "terms @> ?::text[]";
  }
}

function hasPhrase(node: TermNode): boolean {
  switch (node.kind) {
    case "terms":
      return node.terms.length > 1;
    case "not":
      return hasPhrase(node.node);
    default:
      return node.nodes.some(hasPhrase);
  }
}

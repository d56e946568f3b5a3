import type { TermNode } from "./terms.js";

/** A condition on the `terms` of a table, for documents stored by `indexText`. */
export interface Condition {
  readonly sql: string;
  /** For each `?` in it an array of tokens. */
  readonly tokens: readonly (readonly string[])[];
  /** Tokens of the words that are wanted, for the rank. */
  readonly wanted: readonly string[];
  /** Whether it finds just the right documents, or some more. */
  readonly exact: boolean;
}

/**
 * Translates a query, after analysis, for PostgreSQL. That words follow each other cannot be asked of an index of tokens:
 * a phrase finds all documents that hold its words, and one that is excluded excludes nothing; the matcher does the rest.
 */
export function conditionFor(scope: string, node: TermNode): Condition {
  return new Translation(scope).whole(node);
}

class Translation {
  private readonly tokens: string[][] = [];
  private readonly wanted = new Set<string>();
  private exact = true;
  private excludes = false;

  constructor(private readonly scope: string) {}

  whole(node: TermNode): Condition {
    let sql = this.part(node, true);
    if (this.excludes) {
      // What is not there is so in the documents of other scopes too: every document of this one holds the blank.
      sql = `(${sql}) AND ${this.holds([`${this.scope}:`])}`;
    }
    const wanted = this.wanted.size > 0 ? [...this.wanted] : [`${this.scope}:`];
    return { sql, tokens: this.tokens, wanted, exact: this.exact };
  }

  private part(node: TermNode, isWanted: boolean): string {
    switch (node.kind) {
      case "terms": {
        const tokens = node.terms.map(({ term }) => `${this.scope}:${term}`);
        if (tokens.length > 1) this.exact = false;
        if (isWanted) for (const token of tokens) this.wanted.add(token);
        return this.holds(tokens);
      }
      case "not": {
        if (hasPhrase(node.node)) {
          this.exact = false;
          this.excludes = true;
          return "true";
        }
        this.excludes = true;
        return `NOT (${this.part(node.node, false)})`;
      }
      case "and":
      case "or":
        return node.nodes
          .map((inner) => `(${this.part(inner, isWanted)})`)
          .join(node.kind === "and" ? " AND " : " OR ");
    }
  }

  private holds(tokens: string[]): string {
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

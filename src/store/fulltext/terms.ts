import type { QueryNode } from "../../contract/query.js";
import { analyse, type Term } from "./analyse.js";

/**
 * A query after analysis: its texts have become terms at positions relative to each other, and what held no term
 * (stop words, punctuation) is gone.
 */
export type TermNode =
  | { readonly kind: "terms"; readonly terms: readonly Term[] }
  | { readonly kind: "not"; readonly node: TermNode }
  | { readonly kind: "and" | "or"; readonly nodes: readonly TermNode[] };

/** Analyses the texts of a query; `null` when no term is left. */
export function toTerms(node: QueryNode): TermNode | null {
  switch (node.kind) {
    case "text": {
      const terms = analyse(node.text);
      return terms.length > 0 ? { kind: "terms", terms } : null;
    }
    case "not": {
      const inner = toTerms(node.node);
      return inner && { kind: "not", node: inner };
    }
    case "and":
    case "or": {
      const nodes = node.nodes.map(toTerms).filter((inner) => inner !== null);
      return nodes.length > 1 ? { kind: node.kind, nodes } : (nodes[0] ?? null);
    }
  }
}

/**
 * Whether a text satisfies a query, exactly: what {@link matchExpression} may only narrow down. False for a query
 * without a usable word.
 */
export function matches(node: QueryNode, text: string): boolean {
  const wanted = toTerms(node);
  return wanted !== null && satisfies(wanted, positionsOf(analyse(text)));
}

type Positions = ReadonlyMap<string, ReadonlySet<number>>;

function satisfies(node: TermNode, positions: Positions): boolean {
  switch (node.kind) {
    case "terms":
      return holdsSequence(node.terms, positions);
    case "not":
      return !satisfies(node.node, positions);
    case "and":
      return node.nodes.every((inner) => satisfies(inner, positions));
    case "or":
      return node.nodes.some((inner) => satisfies(inner, positions));
  }
}

function holdsSequence(terms: readonly Term[], positions: Positions): boolean {
  const [first, ...others] = terms;
  if (!first) return false;
  for (const start of positions.get(first.term) ?? []) {
    const shift = start - first.position;
    if (others.every(({ term, position }) => positions.get(term)?.has(position + shift))) return true;
  }
  return false;
}

function positionsOf(terms: readonly Term[]): Positions {
  const positions = new Map<string, Set<number>>();
  for (const { term, position } of terms) {
    const known = positions.get(term);
    if (known) known.add(position);
    else positions.set(term, new Set([position]));
  }
  return positions;
}

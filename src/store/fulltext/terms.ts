/** Analyses search queries, and checks whether texts match them. */
import { MAX_QUERY_LENGTH, MAX_QUERY_WORDS, type QueryNode } from "../../contract/query.js";
import { analyse, isPairedCharacter } from "./analyse.js";

/** Positions are counted from 1. */
export interface Term {
  readonly term: string;
  readonly position: number;
}

/** A query whose texts are replaced by their terms, without stop words and punctuation. */
export type TermNode =
  | { readonly kind: "terms"; readonly terms: readonly Term[] }
  | { readonly kind: "not"; readonly node: TermNode }
  | { readonly kind: "and" | "or"; readonly nodes: readonly TermNode[] };

/**
 * Replaces a query's texts with terms, at most {@link MAX_QUERY_WORDS}. A repeated operand of one "and" or
 * "or" counts once. Returns null if no term remains.
 */
export function toTerms(node: QueryNode): TermNode | null {
  return new TermReader().read(node);
}

export function queryWords(q: string): string[] {
  const words = new Set(analyse(q.slice(0, MAX_QUERY_LENGTH)).parts.filter((term) => term !== ""));
  return [...words].slice(0, MAX_QUERY_WORDS);
}

class TermReader {
  private remaining = MAX_QUERY_WORDS;

  read(node: QueryNode, siblings = new Set<string>()): TermNode | null {
    switch (node.kind) {
      case "text":
        return this.readText(node.text, siblings);
      case "not": {
        // Do not pass `siblings`, because `a` and `not a` are different operands.
        const inner = this.read(node.node);
        return inner && { kind: "not", node: inner };
      }
      case "and":
      case "or": {
        const seen = new Set<string>();
        const nodes = node.nodes.map((inner) => this.read(inner, seen)).filter((inner) => inner !== null);
        return joinNodes(node.kind, nodes);
      }
    }
  }

  /**
   * A compound may also match as a whole, which ranks higher. Characters of a script that is indexed in pairs
   * may match anywhere, because the index stores no position for single characters.
   */
  private readText(text: string, siblings: Set<string>): TermNode | null {
    if (this.remaining === 0) return null;
    const { parts, groups, lastGroup } = analyse(text);
    const terms = parts
      .map((term, n) => ({ term, position: n + 1 }))
      .filter(({ term }) => term !== "")
      .slice(0, this.remaining);
    const key = terms.map(({ term, position }) => `${position} ${term}`).join(" ");
    if (terms.length === 0 || siblings.has(key)) return null;
    siblings.add(key);
    this.remaining -= terms.length;
    const phrase = terms.filter(({ term }) => !isPairedCharacter(term));
    const nodes: TermNode[] = phrase.length > 0 ? [{ kind: "terms", terms: phrase }] : [];
    for (const term of terms) if (!phrase.includes(term)) nodes.push({ kind: "terms", terms: [term] });
    const all = joinNodes("and", nodes)!;
    const whole = groups === 1 && parts.length > 1 ? lastGroup : undefined;
    if (whole === undefined) return all;
    return { kind: "or", nodes: [{ kind: "terms", terms: [{ term: whole, position: 1 }] }, all] };
  }
}

function joinNodes(kind: "and" | "or", nodes: readonly TermNode[]): TermNode | null {
  return nodes.length > 1 ? { kind, nodes } : (nodes[0] ?? null);
}

/** Filters the results of inexact searches. A query without terms matches no text. */
export function matcher(node: QueryNode): (text: string) => boolean {
  const terms = toTerms(node);
  return (text) => terms !== null && satisfies(terms, positionsOf(analyse(text).terms));
}

/** To check many texts, use one {@link matcher}. */
export function matches(node: QueryNode, text: string): boolean {
  return matcher(node)(text);
}

type Positions = ReadonlyMap<string, ReadonlySet<number>>;

function satisfies(node: TermNode, positions: Positions): boolean {
  switch (node.kind) {
    case "terms":
      return containsSequence(node.terms, positions);
    case "not":
      return !satisfies(node.node, positions);
    case "and":
      return node.nodes.every((inner) => satisfies(inner, positions));
    case "or":
      return node.nodes.some((inner) => satisfies(inner, positions));
  }
}

function containsSequence(terms: readonly Term[], positions: Positions): boolean {
  const [first, ...others] = terms;
  if (!first) return false;
  for (const start of positions.get(first.term) ?? []) {
    const shift = start - first.position;
    if (others.every(({ term, position }) => positions.get(term)?.has(position + shift))) return true;
  }
  return false;
}

function positionsOf(terms: readonly string[]): Positions {
  const positions = new Map<string, Set<number>>();
  for (const [position, term] of terms.entries()) {
    const known = positions.get(term);
    if (known) known.add(position);
    else positions.set(term, new Set([position]));
  }
  return positions;
}

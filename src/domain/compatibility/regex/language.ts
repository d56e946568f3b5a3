/** The strings that fit a set of patterns, opposites of patterns, excluded words and length bounds. */

import type { Budget } from "../budget.js";
import type { Automaton, States } from "./automaton.js";
import { LAST, type Range } from "./classes.js";

export interface Language {
  patterns: { automaton: Automaton; holds: boolean }[];
  /** Words that do not count. */
  excluded: readonly string[];
  /** Bounds on the length in code points. */
  min: number;
  max: number;
}

/** What the automata know after a string, and what else tells strings apart. */
interface Position {
  states: States[];
  /** The string so far while it may still become an excluded word; undefined after. */
  prefix: string | undefined;
  length: number;
}

/** Positions visited before giving up. */
const MAX_POSITIONS = 4000;

/** A walk through the product of the automata; positions that no longer differ are one. */
class Walk {
  private readonly ids = new Map<string, number>();
  readonly positions: Position[] = [];
  /** Characters that neither a pattern nor an excluded word tells apart. */
  readonly alphabet: readonly Range[];

  constructor(
    private readonly language: Language,
    private readonly budget: Budget,
  ) {
    this.alphabet = classesOf(language);
    const states = language.patterns.map(({ automaton }) => automaton.start());
    this.add({ states, prefix: "", length: 0 });
  }

  /** Whether the strings that lead to a position belong to the language. */
  accepts(at: number): boolean {
    const { states, prefix, length } = this.positions[at] as Position;
    const { patterns, excluded, min } = this.language;
    if (length < min || (prefix !== undefined && excluded.includes(prefix))) return false;
    return patterns.every(
      ({ automaton, holds }, i) => automaton.accepts(states[i] as States, length === 0) === holds,
    );
  }

  /** Where one more character leads, by class of characters; nowhere where no longer string can belong. */
  next(at: number): number[] {
    const { states, prefix, length } = this.positions[at] as Position;
    const { patterns, excluded, max } = this.language;
    const stuck = patterns.some(
      ({ automaton, holds }, i) => !holds && automaton.isCertain(states[i] as States),
    );
    if (length >= max || stuck) return [];
    const cost = states.reduce((sum, set) => sum + set.length, 1);
    return this.alphabet.map(([point]) => {
      this.budget.spend(cost);
      const longer = prefix === undefined ? undefined : prefix + String.fromCodePoint(point);
      return this.add({
        states: patterns.map(({ automaton }, i) => automaton.step(states[i] as States, point)),
        prefix: longer !== undefined && excluded.some((word) => word.startsWith(longer)) ? longer : undefined,
        length: length + 1,
      });
    });
  }

  private add(position: Position): number {
    const key = this.key(position);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    this.ids.set(key, this.positions.length);
    return this.positions.push(position) - 1;
  }

  /** Lengths matter only up to the bounds: past `min`, without a `max`, all are alike. */
  private key({ states, prefix, length }: Position): string {
    const { min, max } = this.language;
    const counted = max === Number.POSITIVE_INFINITY ? Math.min(length, Math.max(min, 1)) : length;
    const word = prefix === undefined ? "" : JSON.stringify(prefix);
    return `${states.map((set) => set.join(" ")).join("|")}|${word}|${counted}`;
  }
}

/** True only if the language is certainly empty. */
export function isEmpty(language: Language, budget: Budget): boolean {
  const walk = new Walk(language, budget);
  const seen = new Set([0]);
  const pending = [0];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (walk.accepts(at) || walk.positions.length > MAX_POSITIONS) return false;
    for (const next of walk.next(at)) {
      if (seen.has(next)) continue;
      seen.add(next);
      pending.push(next);
    }
  }
  return true;
}

/** Every word of the language; undefined where there are more than `limit`, or that cannot be told. */
export function listWords(language: Language, limit: number, budget: Budget): string[] | undefined {
  const walk = new Walk(language, budget);
  const edges: number[][] = [];
  for (let at = 0; at < walk.positions.length; at++) {
    if (at > MAX_POSITIONS) return undefined;
    edges.push(walk.next(at));
  }
  const useful = leadingTo(edges, (at) => walk.accepts(at));
  const words: string[] = [];
  const pending = useful.has(0) ? [{ at: 0, word: "", length: 0 }] : [];
  for (let step = pending.pop(); step; step = pending.pop()) {
    const { at, word, length } = step;
    if (walk.accepts(at)) words.push(word);
    // A useful path longer than there are useful positions comes back to one, and so has no end.
    if (words.length + pending.length > limit || length > useful.size) return undefined;
    for (const [index, next] of (edges[at] as number[]).entries()) {
      if (!useful.has(next)) continue;
      const [from, to] = walk.alphabet[index] as Range;
      if (to - from >= limit) return undefined;
      budget.spend(to - from + 1);
      for (let point = from; point <= to; point++) {
        pending.push({ at: next, word: word + String.fromCodePoint(point), length: length + 1 });
      }
    }
  }
  return words;
}

/** The positions from which an accepted one can be reached. */
function leadingTo(edges: number[][], accepts: (at: number) => boolean): Set<number> {
  const before = edges.map((): number[] => []);
  for (const [at, nexts] of edges.entries()) for (const next of nexts) before[next]?.push(at);
  const found = new Set([...edges.keys()].filter(accepts));
  for (const at of found) for (const earlier of before[at] ?? []) found.add(earlier);
  return found;
}

/** The classes of characters that no pattern and no excluded word tells apart. */
function classesOf({ patterns, excluded }: Language): Range[] {
  const starts = new Set([0]);
  const cut = (from: number, to: number) => starts.add(from).add(to + 1);
  for (const { automaton } of patterns) {
    for (const points of automaton.classes()) for (const [from, to] of points) cut(from, to);
  }
  for (const word of excluded) {
    for (const char of word) cut(char.codePointAt(0) as number, char.codePointAt(0) as number);
  }
  const sorted = [...starts].filter((point) => point <= LAST).sort((a, b) => a - b);
  return sorted.map((point, i) => [point, (sorted[i + 1] ?? LAST + 1) - 1]);
}

/** Whether any string at all fits a set of patterns, opposites of patterns, excluded words and length bounds. */

import type { Budget } from "../budget.js";
import type { Automaton, States } from "./automaton.js";

export interface Language {
  patterns: { automaton: Automaton; holds: boolean }[];
  /** Words that do not count. */
  excluded: readonly string[];
  /** Bounds on the length in code points. */
  min: number;
  max: number;
}

interface Position {
  states: States[];
  /** The string so far while it may still become an excluded word; undefined after. */
  prefix: string | undefined;
  length: number;
}

/** Positions visited before giving up. */
const MAX_POSITIONS = 4000;

/**
 * True only if the language is certainly empty. Walks the product of the automata, one representative character
 * per class, merging positions that no longer differ.
 */
export function isEmpty(language: Language, budget: Budget): boolean {
  const { patterns, excluded, min, max } = language;
  const alphabet = representatives(language);
  const start: Position = {
    states: patterns.map(({ automaton }) => automaton.start()),
    prefix: "",
    length: 0,
  };
  const queue = [start];
  const seen = new Set([key(start, language)]);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { states, prefix, length } = next;
    const word = prefix !== undefined && excluded.includes(prefix);
    if (length >= min && !word && accepted(states, language, length === 0)) return false;
    if (length >= max || dead(states, language)) continue;
    const cost = states.reduce((sum, set) => sum + set.length, 1);
    for (const point of alphabet) {
      budget.spend(cost);
      const longer = prefix === undefined ? undefined : prefix + String.fromCodePoint(point);
      const after: Position = {
        states: patterns.map(({ automaton }, i) => automaton.step(states[i] as States, point)),
        prefix: longer !== undefined && excluded.some((w) => w.startsWith(longer)) ? longer : undefined,
        length: length + 1,
      };
      const id = key(after, language);
      if (seen.has(id)) continue;
      if (seen.size >= MAX_POSITIONS) return false;
      seen.add(id);
      queue.push(after);
    }
  }
  return true;
}

function accepted(states: States[], { patterns }: Language, atStart: boolean): boolean {
  return patterns.every(
    ({ automaton, holds }, i) => automaton.accepts(states[i] as States, atStart) === holds,
  );
}

/** Whether no longer string can be accepted. */
function dead(states: States[], { patterns }: Language): boolean {
  return patterns.some(({ automaton, holds }, i) => !holds && automaton.isCertain(states[i] as States));
}

/** Lengths matter only up to the bounds: past `min`, without a `max`, all are alike. */
function key({ states, prefix, length }: Position, { min, max }: Language): string {
  const counted = max === Number.POSITIVE_INFINITY ? Math.min(length, min) : length;
  const start = length === 0 ? "start" : "";
  return `${states.map((set) => set.join(" ")).join("|")}|${prefix === undefined ? "" : JSON.stringify(prefix)}|${counted}${start}`;
}

/** One code point for each class of characters that no pattern and no excluded word tells apart. */
function representatives({ patterns, excluded }: Language): number[] {
  const starts = new Set([0]);
  const cut = (from: number, to: number) => starts.add(from).add(to + 1);
  for (const { automaton } of patterns) {
    for (const points of automaton.classes()) for (const [from, to] of points) cut(from, to);
  }
  for (const word of excluded) {
    for (const char of word) cut(char.codePointAt(0) as number, char.codePointAt(0) as number);
  }
  return [...starts].filter((point) => point <= 0x10ffff);
}

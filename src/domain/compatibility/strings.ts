/** Rules for strings: length and patterns. */

import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { type CodePoints, union } from "../code-points.js";
import { codePointsOf } from "../json-schema/regex/translate.js";
import type { Budget } from "./budget.js";
import type { Fact } from "./terms.js";

/** Returns the bounds of a length, or of a number of items or properties. */
export function sizesOf(facts: readonly Fact[]): { min: number; max: number } {
  const sizes = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const { condition, holds } of facts) {
    if (condition.rule !== "keyword" || !/^(min|max)[LIP]/.test(condition.name)) continue;
    const size = condition.value as number;
    const isMin = condition.name.startsWith("min");
    if (isMin === holds) sizes.min = Math.max(sizes.min, isMin ? size : size + 1);
    else sizes.max = Math.min(sizes.max, isMin ? size - 1 : size);
  }
  return sizes;
}

export function isStringImpossible(facts: readonly Fact[], patterns: Patterns): boolean {
  const sequences = (wanted: boolean) =>
    facts.flatMap(({ condition, holds }) => {
      if (condition.rule !== "keyword" || condition.name !== "pattern" || holds !== wanted) return [];
      return patterns.sequenceOf(condition.value as string) ?? [];
    });
  const { min, max } = sizesOf(facts);
  const known = [ANY_TEXT, ...sequences(true)];
  return (
    min > max || sequences(false).some((one) => known.some((other) => covers(one, other, patterns.budget)))
  );
}

/** A pattern such as `^[a-z]+-\d{4}$`. Patterns of another form are comparable only with themselves. */
interface Sequence {
  parts: Part[];
  /** Whether the sequence begins at the start of the text, or ends at its end. */
  atStart: boolean;
  atEnd: boolean;
}

/** From `min` to `max` characters of a set. */
interface Part {
  set: CodePoints;
  min: number;
  max: number;
}

const ANY_TEXT: Sequence = { parts: [], atStart: false, atEnd: false };

const parser = new RegExpParser();

export class Patterns {
  private readonly sequences = new Map<string, Sequence | undefined>();

  constructor(readonly budget: Budget) {}

  /** Returns undefined if the pattern has another form. */
  sequenceOf(source: string): Sequence | undefined {
    if (!this.sequences.has(source)) this.sequences.set(source, parse(source));
    return this.sequences.get(source);
  }
}

function parse(source: string): Sequence | undefined {
  const { alternatives } = parser.parsePattern(source, 0, source.length, { unicode: true });
  const elements = [...(alternatives[0]?.elements ?? [])];
  const isAnchor = (element: AST.Element | undefined, kind: string) =>
    element?.type === "Assertion" && element.kind === kind;
  const atStart = isAnchor(elements[0], "start");
  const atEnd = isAnchor(elements.at(-1), "end");
  const parts = elements.slice(atStart ? 1 : 0, atEnd ? -1 : undefined).map((element) => {
    const repeated = element.type === "Quantifier" ? element : { element, min: 1, max: 1 };
    return { ...repeated, set: codePointsOf(repeated.element) };
  });
  const isFlat = alternatives.length === 1 && parts.every((part): part is typeof part & Part => !!part.set);
  return isFlat ? { parts, atStart, atEnd } : undefined;
}

/** Returns true only if every text that matches `older` matches `newer`. */
function covers(newer: Sequence, older: Sequence, budget: Budget): boolean {
  if ((newer.atStart && !older.atStart) || (newer.atEnd && !older.atEnd)) return false;
  const failed = new Set<string>();
  /** Returns whether the old parts from index `from` match the new parts from index `at`. */
  const fits = (from: number, at: number): boolean => {
    const part = newer.parts[at];
    if (part === undefined) return !newer.atEnd || from === older.parts.length;
    if (failed.has(`${from} ${at}`)) return false;
    // Without an anchor, the match may leave out some characters of the part.
    const isOpen = (at === 0 && !newer.atStart) || (at === newer.parts.length - 1 && !newer.atEnd);
    const max = isOpen ? Number.POSITIVE_INFINITY : part.max;
    const run = { min: 0, max: 0 };
    for (let to = from; ; to++) {
      if (run.min >= part.min && run.max <= max && fits(to, at + 1)) return true;
      const next = older.parts[to];
      // A set such as `\p{L}` has hundreds of ranges.
      budget.spend(1 + part.set.length + (next?.set.length ?? 0));
      if (next === undefined || !isSubset(next.set, part.set)) break;
      run.min += next.min;
      run.max += next.max;
    }
    failed.add(`${from} ${at}`);
    return false;
  };
  const starts = newer.atStart ? [0] : [...older.parts.keys(), older.parts.length];
  return starts.some((start) => fits(start, 0));
}

function isSubset(some: CodePoints, all: CodePoints): boolean {
  return String(union(some, all)) === String(all);
}

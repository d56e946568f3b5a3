/**
 * Checks whether constraints on one string contradict each other, and lists the strings that match patterns.
 */

import type { NFA } from "refa";
import { linearRegExp, PatternError } from "../../json-schema/regex/index.js";
import type { Budget } from "../budget.js";
import type { Literal } from "../formula/formula.js";
import { parseAutomaton } from "../regex/automaton.js";
import { isEmpty, type Language, listStringsOf } from "../regex/language.js";

export interface StringFacts {
  patterns: { source: string; holds: boolean }[];
  excluded: string[];
  min: number;
  max: number;
}

/**
 * Maximum number of excluded strings. Ignoring a longer list is safe, because the check can then only miss a
 * contradiction.
 */
const MAX_EXCLUDED = 32;
const MAX_PATTERNS = 12;

type Test = (text: string) => boolean | undefined;

export class Patterns {
  private readonly automata = new Map<string, NFA | undefined>();
  private readonly tests = new Map<string, Test>();
  private readonly verdicts = new Map<string, boolean | undefined>();

  constructor(private readonly budget: Budget) {}

  /**
   * Returns whether a string matches a pattern, using the same engine that validates payloads. Returns
   * undefined if the engine does not support the pattern.
   */
  matches(source: string, text: string): boolean | undefined {
    const key = `${source.length} ${source}${text}`;
    this.budget.spend(1 + (key.length >> 6));
    if (this.verdicts.has(key)) return this.verdicts.get(key);
    this.budget.spend(text.length);
    const verdict = this.test(source)(text);
    this.verdicts.set(key, verdict);
    return verdict;
  }

  /**
   * Returns true only if it is proven that no string satisfies the constraints. Ignores patterns that cannot
   * be analysed.
   */
  isUnsatisfiable(facts: StringFacts): boolean {
    const excluded = facts.excluded.length > MAX_EXCLUDED ? [] : facts.excluded;
    return isEmpty({ ...facts, patterns: this.automataOf(facts), excluded }, this.budget);
  }

  /**
   * Returns a list that contains every string that satisfies the constraints. The list may also contain other
   * strings. Returns undefined if it would be too long.
   */
  list(facts: StringFacts, limit: number): string[] | undefined {
    const patterns = this.automataOf(facts);
    if (!patterns.some(({ holds }) => holds)) return undefined;
    return listStringsOf({ ...facts, patterns, excluded: [] }, limit, this.budget);
  }

  private automataOf({ patterns }: StringFacts): Language["patterns"] {
    return patterns.slice(0, MAX_PATTERNS).flatMap(({ source, holds }) => {
      const automaton = this.automaton(source);
      return automaton ? [{ automaton, holds }] : [];
    });
  }

  private test(source: string): Test {
    const known = this.tests.get(source);
    if (known) return known;
    this.budget.spend(100 + source.length);
    const test = compile(source);
    this.tests.set(source, test);
    return test;
  }

  private automaton(source: string): NFA | undefined {
    if (this.automata.has(source)) return this.automata.get(source);
    this.budget.spend(100 + source.length);
    const automaton = parseAutomaton(source);
    this.automata.set(source, automaton);
    return automaton;
  }
}

export function stringIsUnsatisfiable(patterns: Patterns, literals: readonly Literal[]): boolean {
  const facts = gather(literals);
  if (facts.min > facts.max) return true;
  return facts.patterns.length > 0 && patterns.isUnsatisfiable(facts);
}

export function listStrings(
  patterns: Patterns,
  literals: readonly Literal[],
  limit: number,
): string[] | undefined {
  return patterns.list(gather(literals), limit);
}

function gather(literals: readonly Literal[]): StringFacts {
  const facts: StringFacts = { patterns: [], excluded: [], min: 0, max: Number.POSITIVE_INFINITY };
  for (const { constraint } of literals) {
    if (constraint.op === "minSize") facts.min = Math.max(facts.min, constraint.size);
    if (constraint.op === "maxSize") facts.max = Math.min(facts.max, constraint.size);
    if (constraint.op === "pattern") facts.patterns.push(constraint);
    if (constraint.op === "values" && !constraint.holds) {
      for (const value of constraint.values.values()) facts.excluded.push(value as string);
    }
  }
  return facts;
}

function compile(source: string): Test {
  try {
    return linearRegExp(source).test;
  } catch (error) {
    if (error instanceof PatternError) return () => undefined;
    throw error;
  }
}

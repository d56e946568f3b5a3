/** Evaluates a formula for one JSON value: true, false or unknown. */

import type { Json } from "../../json-schema/values.js";
import { canonicalText, codePoints, typeName } from "../../json-schema/values.js";
import type { Budget } from "../budget.js";
import type { Constraint, Formula } from "../formula/formula.js";
import type { Semantics } from "../formula/semantics.js";
import { isMultiple } from "./arithmetic.js";
import type { Patterns } from "./strings.js";

/** Undefined means unknown. */
export type Verdict = boolean | undefined;

/** Maximum nesting depth of expanded schemas. Beyond it, the result is unknown. */
const MAX_DEPTH = 100;

export class Evaluator {
  private readonly names = new Map<string, Verdict>();
  private readonly texts = new Map<Json, string>();
  private depth = 0;

  constructor(
    private readonly semantics: Semantics,
    private readonly patterns: Patterns,
    private readonly budget: Budget,
  ) {}

  evaluateName(formula: Formula, name: string): Verdict {
    this.budget.spend(1 + (name.length >> 6));
    const key = `${formula.id} ${name}`;
    if (this.names.has(key)) return this.names.get(key);
    const verdict = this.evaluate(formula, name);
    if (this.depth === 0) this.names.set(key, verdict);
    return verdict;
  }

  evaluate(formula: Formula, value: Json): Verdict {
    this.budget.spend();
    switch (formula.kind) {
      case "true":
        return true;
      case "false":
        return false;
      case "all":
        return everyOf(formula.members, (member) => this.evaluate(member, value));
      case "any":
        return someOf(formula.members, (member) => this.evaluate(member, value));
      case "literal":
        return this.constraint(formula.constraint, value);
      case "schema": {
        if (this.depth > MAX_DEPTH) return undefined;
        this.depth++;
        const verdict = this.evaluate(this.semantics.unfold(formula, typeName(value)), value);
        this.depth--;
        return verdict;
      }
    }
  }

  private constraint(constraint: Constraint, value: Json): Verdict {
    switch (constraint.op) {
      case "values":
        return constraint.values.has(this.text(value)) === constraint.holds;
      case "lower":
      case "upper":
        return inBound(constraint, value as number);
      case "multiple":
        return equals(isMultiple(value as number, constraint.of), constraint.holds);
      case "minSize":
        return this.size(value) >= constraint.size;
      case "maxSize":
        return this.size(value) <= constraint.size;
      case "pattern":
        return equals(this.patterns.matches(constraint.source, value as string), constraint.holds);
      case "format":
      case "opaque":
        return undefined;
      case "everyProperty":
      case "someProperty":
        return this.properties(constraint, value as Record<string, Json>);
      default:
        return this.items(constraint, value as Json[]);
    }
  }

  private text(value: Json): string {
    const large = typeof value === "object" && value !== null;
    const text = (large ? this.texts.get(value) : undefined) ?? canonicalText(value);
    if (large) this.texts.set(value, text);
    this.budget.spend(text.length >> 6);
    return text;
  }

  private size(value: Json): number {
    const size = typeof value === "string" ? codePoints(value) : Object.keys(value as object).length;
    this.budget.spend(size >> 5);
    return size;
  }

  private items(
    constraint: Extract<Constraint, { op: "unique" | "everyItem" | "someItem" | "atLeast" | "atMost" }>,
    items: Json[],
  ): Verdict {
    this.budget.spend(items.length);
    if (constraint.op === "unique") {
      return (new Set(items.map(canonicalText)).size === items.length) === constraint.holds;
    }
    const fits = (item: Json) => this.evaluate(constraint.item, item);
    if (constraint.op === "everyItem") return everyOf(items.slice(constraint.from, constraint.to), fits);
    if (constraint.op === "someItem") return someOf(items.slice(constraint.from, constraint.to), fits);
    const verdicts = items.map(fits);
    const sure = verdicts.filter((verdict) => verdict === true).length;
    const possible = verdicts.filter((verdict) => verdict !== false).length;
    const enough = (count: number) => (sure >= count ? true : possible < count ? false : undefined);
    return constraint.op === "atLeast"
      ? enough(constraint.count)
      : equals(enough(constraint.count + 1), false);
  }

  private properties(
    constraint: Extract<Constraint, { op: "everyProperty" | "someProperty" }>,
    object: Record<string, Json>,
  ): Verdict {
    const { names, value } = constraint;
    const entries = Object.entries(object);
    if (constraint.op === "someProperty") {
      return someOf(entries, ([name, inner]) =>
        and(this.evaluateName(names, name), () => this.evaluate(value, inner)),
      );
    }
    return everyOf(entries, ([name, inner]) =>
      equals(
        and(this.evaluateName(names, name), () => equals(this.evaluate(value, inner), false)),
        false,
      ),
    );
  }
}

function inBound(
  bound: { op: "lower" | "upper"; value: number; exclusive: boolean },
  value: number,
): boolean {
  if (value === bound.value) return !bound.exclusive;
  return bound.op === "lower" ? value > bound.value : value < bound.value;
}

function equals(verdict: Verdict, expected: boolean): Verdict {
  return verdict === undefined ? undefined : verdict === expected;
}

function and(a: Verdict, b: () => Verdict): Verdict {
  if (a === false) return false;
  const other = b();
  return other === false ? false : a === undefined ? undefined : other;
}

function everyOf<T>(members: readonly T[], fits: (member: T) => Verdict): Verdict {
  let result: Verdict = true;
  for (const member of members) {
    const verdict = fits(member);
    if (verdict === false) return false;
    if (verdict === undefined) result = undefined;
  }
  return result;
}

function someOf<T>(members: readonly T[], fits: (member: T) => Verdict): Verdict {
  let result: Verdict = false;
  for (const member of members) {
    const verdict = fits(member);
    if (verdict === true) return true;
    if (verdict === undefined) result = undefined;
  }
  return result;
}

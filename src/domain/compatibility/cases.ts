/**
 * Decides whether any value can satisfy a list of terms. Splits alternatives into cases, each a list of facts
 * about a value of one type, until the rules of that type find a contradiction.
 */

import { compileSchema, type Validator } from "../json-schema/compile.js";
import { canonicalText, JSON_TYPES, type Json, type JsonType, typeName } from "../json-schema/values.js";
import { ArrayFacts } from "./arrays.js";
import { Meaning } from "./meaning.js";
import { NumberFacts } from "./numbers.js";
import { ObjectFacts } from "./objects.js";
import { sizesOf } from "./sizes.js";
import type { Fact, Group, Solver, Term, Terms } from "./terms.js";

/** Parts that are nested deeper count as different. */
const MAX_DEPTH = 250;
const MAX_VALUES = 300;

/** Called with a case that has no contradiction. Returns true to end the search. */
type Visit = (facts: Fact[], values?: Json[]) => boolean;

interface Case {
  type: JsonType;
  facts: Fact[];
  /** Groups of which at least one member holds. */
  choices: Group[];
  /** The ids of all terms that hold. */
  seen: Set<number>;
}

export class Cases implements Solver {
  private readonly meaning: Meaning;
  private readonly validators = new Map<string, Validator>();
  private readonly verdicts = new Map<string, boolean>();
  /** Goals whose proof is in progress, outermost first. */
  private readonly open: string[] = [];
  /** Index of the outermost goal in progress that counts as proven in the current proof. */
  private assumed = Number.POSITIVE_INFINITY;
  private depth = 0;

  constructor(readonly terms: Terms) {
    this.meaning = new Meaning(terms);
  }

  /**
   * Inside its own proof, a goal counts as proven. This is an induction, because the inner goal concerns a
   * smaller part of the value. A verdict that assumes an outer goal is not remembered.
   */
  isImpossible(goal: Iterable<Term>, types: readonly JsonType[] = JSON_TYPES): boolean {
    const whole = this.terms.all(goal);
    if (whole === this.terms.false) return true;
    if (whole === this.terms.true || this.depth > MAX_DEPTH) return false;
    const key = `${whole.id} ${types}`;
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const at = this.open.indexOf(key);
    if (at >= 0) {
      this.assumed = Math.min(this.assumed, at);
      return true;
    }
    const outer = this.assumed;
    this.assumed = this.open.push(key);
    const isImpossible = types.every((type) => !this.search(type, [whole], () => true));
    this.open.pop();
    const isFinal = !isImpossible || this.assumed >= this.open.length;
    if (isFinal) this.verdicts.set(key, isImpossible);
    this.assumed = isFinal ? outer : Math.min(outer, this.assumed);
    return isImpossible;
  }

  /**
   * Calls `visit` for each case without a contradiction, until it returns true. If only few values are
   * possible, passes them; the case may then still have choices.
   */
  search(type: JsonType, goal: readonly Term[], visit: Visit): boolean {
    const first: Case = { type, facts: [], choices: [], seen: new Set() };
    this.depth++;
    const isFound = this.add(first, ...goal) && this.explore(first, goal, visit);
    this.depth--;
    return isFound;
  }

  private explore(current: Case, goal: readonly Term[], visit: Visit): boolean {
    const values = this.valuesOf(current)?.filter((value) => goal.every((term) => this.mayHold(term, value)));
    if (values) return values.length > 0 && visit(current.facts, values);
    const known = current.seen.size;
    if (this.isContradictory(current.type, current.facts) || !this.simplify(current)) return false;
    if (current.seen.size > known) return this.explore(current, goal, visit);
    if (current.choices.length === 0 || this.depth > MAX_DEPTH) return visit(current.facts);
    const choice = current.choices.reduce((a, b) => (b.members.length < a.members.length ? b : a));
    const choices = current.choices.filter((other) => other !== choice);
    return choice.members.some((member) => {
      const next = {
        ...current,
        facts: [...current.facts],
        choices: [...choices],
        seen: new Set(current.seen),
      };
      return this.add(next, member) && this.explore(next, goal, visit);
    });
  }

  /** Adds terms to a case. Returns false if they contradict it. */
  private add(current: Case, ...goal: Term[]): boolean {
    for (let term = goal.pop(); term; term = goal.pop()) {
      if (current.seen.has(term.id) || term.kind === "unknown") continue;
      this.terms.budget.spend();
      if (term === this.terms.false || current.seen.has(this.terms.not(term).id)) return false;
      current.seen.add(term.id);
      if (term.kind === "fact") current.facts.push(term);
      else if (term.kind === "claim") goal.push(this.meaning.of(term, current.type));
      else if (term.kind === "all") goal.push(...term.members);
      else current.choices.push(term);
    }
    return true;
  }

  /** Removes choices that hold, and members that cannot hold. Returns false if a choice has none left. */
  private simplify(current: Case): boolean {
    const known = new Map<number, boolean>();
    const isExcluded = (term: Term) => this.excludes(current, term, known);
    for (const choice of current.choices) {
      const open = choice.members.filter((member) => !isExcluded(member));
      const holds = open.some((member) => isExcluded(this.terms.not(member)));
      if (!holds && open.length === choice.members.length) continue;
      current.choices = current.choices.filter((other) => other !== choice);
      if (!holds && !this.add(current, this.terms.any(open))) return false;
    }
    return true;
  }

  /** Returns true only if the facts of a case contradict a term. Looks at each part of the term alone. */
  private excludes(current: Case, term: Term, known: Map<number, boolean>): boolean {
    const verdict = known.get(term.id);
    if (verdict !== undefined) return verdict;
    known.set(term.id, false); // A schema that refers back to itself gets here again.
    this.terms.budget.spend();
    const isExcluded = (part: Term) => this.excludes(current, part, known);
    const excluded =
      current.seen.has(this.terms.not(term).id) ||
      (term.kind === "all" && term.members.some(isExcluded)) ||
      (term.kind === "any" && term.members.every(isExcluded)) ||
      (term.kind === "claim" && isExcluded(this.meaning.of(term, current.type))) ||
      (term.kind === "fact" && this.isContradictory(current.type, [...current.facts, term]));
    known.set(term.id, excluded);
    return excluded;
  }

  private isContradictory(type: JsonType, facts: readonly Fact[]): boolean {
    this.terms.budget.spend(1 + facts.length);
    if (type === "number") return new NumberFacts(facts).isImpossible();
    if (type === "string") {
      const { min, max } = sizesOf(facts);
      return min > max;
    }
    if (type === "array") return new ArrayFacts(this, facts).isImpossible();
    return type === "object" && new ObjectFacts(this, facts).isImpossible();
  }

  /** Returns values that include all possible ones, or undefined if there may be too many. */
  private valuesOf({ type, facts }: Case): Json[] | undefined {
    for (const { condition, holds } of facts)
      if (condition.rule === "enum" && holds) return [...condition.values.values()];
    if (type === "null") return [null];
    if (type === "boolean") return [false, true];
    if (type === "number") return new NumberFacts(facts).list(MAX_VALUES);
    return sizesOf(facts).max === 0 ? [{ string: "", array: [], object: {} }[type]] : undefined;
  }

  list(goal: readonly Term[]): ReadonlyMap<string, Json> | undefined {
    const found = new Map<string, Json>();
    const isTooMany = (_: Fact[], values?: Json[]) => {
      for (const value of values ?? []) found.set(canonicalText(value), value);
      return values === undefined || found.size > MAX_VALUES;
    };
    return JSON_TYPES.some((type) => this.search(type, goal, isTooMany)) ? undefined : found;
  }

  mayHold(term: Term, value: Json): boolean {
    this.terms.budget.spend();
    const isPossible = (part: Term) => this.mayHold(part, value);
    if (term.kind === "fact") return this.mayFactHold(term, value);
    if (term.kind === "claim") return isPossible(this.meaning.of(term, typeName(value)));
    if (term.kind === "all") return term.members.every(isPossible);
    return term.kind === "unknown" || term.members.some(isPossible);
  }

  private mayFactHold({ condition, holds }: Fact, value: Json): boolean {
    const { terms } = this;
    const mayHold = (term: Term) => (part: Json) => this.mayHold(term, part);
    switch (condition.rule) {
      case "enum":
        return condition.values.has(canonicalText(value)) === holds;
      case "keyword":
        return this.isValid(condition.name, condition.value, value) === holds;
      case "items": {
        const items = (value as Json[]).slice(condition.from, condition.to);
        return holds ? items.every(mayHold(condition.item)) : items.some(mayHold(terms.not(condition.item)));
      }
      case "contains": {
        const [items, { atLeast, item }] = [value as Json[], condition];
        if (holds) return items.filter(mayHold(item)).length >= atLeast;
        return items.filter(mayHold(terms.not(item))).length > items.length - atLeast;
      }
      case "properties": {
        const [outside, other] = [terms.not(condition.names), terms.not(condition.value)];
        const parts = Object.entries(value as Record<string, Json>);
        return holds
          ? parts.every(([name, part]) => this.mayHold(outside, name) || this.mayHold(condition.value, part))
          : parts.some(([name, part]) => this.mayHold(condition.names, name) && this.mayHold(other, part));
      }
    }
  }

  /** Applies a keyword as the validator of payloads does. */
  private isValid(keyword: string, limit: unknown, value: Json): boolean {
    const key = `${keyword} ${limit}`;
    this.terms.budget.spend(typeof value === "string" ? 10 + value.length : 10);
    const validate = this.validators.get(key) ?? compileSchema({ [keyword]: limit });
    this.validators.set(key, validate);
    return validate(value).length === 0;
  }
}

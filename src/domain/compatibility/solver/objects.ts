/**
 * Checks whether constraints on one object contradict each other, as in `{minProperties: 2, maxProperties:
 * 1}`.
 */

import type { Json } from "../../json-schema/values.js";
import type { Formula, Literal } from "../formula/formula.js";
import { MAX_VALUES, type Solver } from "./solver.js";

/** A condition on a property: `names` constrains its name, and `value` its value. */
interface Rule {
  names: Formula;
  value: Formula;
}

/**
 * Maximum number of rules that are combined. Ignoring further rules is safe, because the check can then only
 * miss a contradiction.
 */
const MAX_RULES = 8;

export class ObjectFacts {
  private min = 0;
  private max = Number.POSITIVE_INFINITY;
  /**
   * Conditions on a property's value, keyed by the property's name. They apply only if the property is
   * present.
   */
  private readonly named = new Map<string, Formula[]>();
  private readonly rules: Rule[] = [];
  /** Required properties: their names, and further conditions on their values. */
  private readonly present = new Map<string, Formula[]>();
  /** Conditions that at least one property must satisfy. The property's name is still unknown. */
  private some: Rule[] = [];
  readonly names = new Set<string>();

  constructor(
    private readonly solver: Solver,
    private readonly literals: readonly Literal[],
  ) {
    for (const { constraint } of literals) {
      if (constraint.op === "minSize") this.min = Math.max(this.min, constraint.size);
      if (constraint.op === "maxSize") this.max = Math.min(this.max, constraint.size);
      if (constraint.op === "everyProperty") this.addEvery(constraint);
      if (constraint.op === "someProperty") this.addSome(constraint);
    }
    for (const rule of [...this.rules, ...this.some]) this.collectNames(rule.names, 4);
    for (const name of this.allowedNames()) this.names.add(name);
    solver.budget.spend(this.names.size >> 2);
  }

  isUnsatisfiable(): boolean {
    for (const [name, needed] of this.present) if (!this.feasible(name, needed)) return true;
    do {
      if (this.present.size > this.max || this.min > this.max) return true;
    } while (this.placeRequiredProperty());
    if (this.some.some((rule) => this.possibleNames(rule).length === 0)) return true;
    return this.hasTooFewNames();
  }

  /**
   * Returns whether `literal` contradicts the other constraints. If `literal` affects only one name, checks
   * only this name.
   */
  excludes(literal: Literal): boolean {
    const { constraint } = literal;
    if (constraint.op === "someProperty" || constraint.op === "everyProperty") {
      const [name, ...others] = exactNames(constraint.names) ?? [];
      if (name !== undefined && others.length === 0) {
        const needed = this.present.get(name);
        if (constraint.op === "everyProperty" && !needed) return false;
        return !this.feasible(name, [...(needed ?? []), constraint.value]);
      }
    }
    return new ObjectFacts(this.solver, [...this.literals, literal]).isUnsatisfiable();
  }

  valueUnder(name: string): Formula[] {
    return this.goal(name, this.present.get(name) ?? []);
  }

  /**
   * Returns a list that contains every object that satisfies the constraints. The list may also contain other
   * objects. Returns undefined if it would be too long.
   */
  list(): Json[] | undefined {
    const { formulas } = this.solver;
    if (this.allowsOtherName(formulas.true, formulas.true)) return undefined;
    let objects: Record<string, Json>[] = [{}];
    for (const name of this.names) {
      const values = this.solver.enumerate(this.valueUnder(name));
      if (!values || objects.length * (values.size + 1) > MAX_VALUES) return undefined;
      const longer = objects.flatMap((object) =>
        [...values.values()].map((value) => ({ ...object, [name]: value })),
      );
      objects = this.present.has(name) ? longer : [...objects, ...longer];
    }
    return objects;
  }

  private addEvery({ names, value }: Rule): void {
    const exact = exactNames(names);
    if (!exact) this.rules.push({ names, value });
    for (const name of exact ?? []) append(this.named, name, value);
    for (const name of exact ?? []) this.names.add(name);
  }

  private addSome({ names, value }: Rule): void {
    const exact = exactNames(names);
    const only = exact?.length === 1 ? exact[0] : undefined;
    if (only === undefined) this.some.push({ names, value });
    else append(this.present, only, value);
    for (const name of exact ?? []) this.names.add(name);
  }

  /**
   * Returns the property names that the constraints allow. Returns an empty list if no name is forbidden, or
   * if too many names are allowed.
   */
  private allowedNames(): string[] {
    const { formulas } = this.solver;
    const forbidden = this.rules.filter(({ value }) => value.kind === "false");
    if (forbidden.length === 0) return [];
    return this.solver.enumerateNames(formulas.all(forbidden.map(({ names }) => formulas.not(names))));
  }

  private collectNames(formula: Formula, depth: number): void {
    if (formula.kind === "schema" && depth > 0) {
      this.collectNames(this.solver.semantics.unfold(formula, "string"), depth - 1);
    } else if (formula.kind === "all" || formula.kind === "any") {
      for (const member of formula.members) this.collectNames(member, depth);
    } else if (formula.kind === "literal" && formula.constraint.op === "values") {
      for (const name of formula.constraint.values.values()) this.names.add(name as string);
    }
  }

  /**
   * Returns all conditions on a property's value. Omits a rule if it is unknown whether the rule applies to
   * this name.
   */
  private goal(name: string, needed: readonly Formula[]): Formula[] {
    const { evaluator } = this.solver;
    const rules = this.rules.filter((rule) => evaluator.evaluateName(rule.names, name) === true);
    return [...needed, ...(this.named.get(name) ?? []), ...rules.map((rule) => rule.value)];
  }

  private feasible(name: string, needed: readonly Formula[]): boolean {
    return !this.solver.isUnsatisfiable(this.goal(name, needed));
  }

  /**
   * Returns the names that a required property can have. `undefined` stands for every name that the
   * constraints do not mention.
   */
  private possibleNames({ names, value }: Rule): (string | undefined)[] {
    const full = this.present.size === this.max;
    const candidates = full ? [...this.present.keys()] : [...this.names];
    const places: (string | undefined)[] = candidates.filter((name) => {
      if (this.solver.evaluator.evaluateName(names, name) === false) return false;
      return this.feasible(name, [...(this.present.get(name) ?? []), value]);
    });
    if (!full && this.allowsOtherName(names, value)) places.push(undefined);
    return places;
  }

  private allowsOtherName(names: Formula, value: Formula): boolean {
    const { formulas } = this.solver;
    const other = formulas.values(this.names, false);
    const related = this.rules.slice(0, MAX_RULES);
    return this.split(formulas.all([names, other]), value, related);
  }

  /**
   * Returns whether the object can have a property that satisfies both `names` and `value`. Tries both cases
   * for each rule: the rule applies to the name, or it does not.
   */
  private split(names: Formula, value: Formula, rules: readonly Rule[]): boolean {
    const { solver } = this;
    if (solver.isUnsatisfiable([names], ["string"]) || solver.isUnsatisfiable([value])) return false;
    const [rule, ...rest] = rules;
    if (!rule) return true;
    const { formulas } = solver;
    return (
      this.split(formulas.all([names, rule.names]), formulas.all([value, rule.value]), rest) ||
      this.split(formulas.all([names, formulas.not(rule.names)]), value, rest)
    );
  }

  /**
   * Looks for a required property that can have only one name, and adds this name to `present`. Returns
   * whether it found such a property.
   */
  private placeRequiredProperty(): boolean {
    for (const rule of this.some) {
      const [place, ...others] = this.possibleNames(rule);
      if (place === undefined || others.length > 0) continue;
      append(this.present, place, rule.value);
      this.some = this.some.filter((other) => other !== rule);
      return true;
    }
    return false;
  }

  private hasTooFewNames(): boolean {
    if (this.min <= this.present.size) return false;
    const { formulas } = this.solver;
    if (this.allowsOtherName(formulas.true, formulas.true)) return false;
    const possible = [...this.names].filter((name) => this.feasible(name, this.present.get(name) ?? []));
    return possible.length < this.min;
  }
}

/**
 * Returns the names that the formula lists. Returns undefined if the formula has another form, such as a
 * pattern.
 */
function exactNames(names: Formula): string[] | undefined {
  if (names.kind !== "literal" || names.constraint.op !== "values" || !names.constraint.holds)
    return undefined;
  return [...names.constraint.values.values()] as string[];
}

function append(map: Map<string, Formula[]>, name: string, formula: Formula): void {
  map.set(name, [...(map.get(name) ?? []), formula]);
}

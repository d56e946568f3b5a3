/** Whether literals about one object contradict each other. */

import type { Formula, Literal } from "../formula/formula.js";
import type { Json } from "../json.js";
import { MAX_VALUES, type Solver } from "./solver.js";

/** "Every property named so has such a value", or "some property". */
interface Rule {
  names: Formula;
  value: Formula;
}

/** Rules that are distinguished by the languages of their names; further ones are left out, which can only allow more. */
const MAX_RULES = 8;

export function objectIsUnsatisfiable(solver: Solver, literals: readonly Literal[]): boolean {
  return new ObjectFacts(solver, literals).isUnsatisfiable();
}

/** The constraints of a branch on the value under a name. */
export function valueUnder(solver: Solver, literals: readonly Literal[], name: string): Formula[] {
  return new ObjectFacts(solver, literals).valueUnder(name);
}

/** The names that a branch mentions. */
export function namesIn(solver: Solver, literals: readonly Literal[]): string[] {
  return [...new ObjectFacts(solver, literals).names];
}

/** Every object that could fit, and perhaps more; undefined where they are too many to list. */
export function listObjects(solver: Solver, literals: readonly Literal[]): Json[] | undefined {
  return new ObjectFacts(solver, literals).list();
}

export class ObjectFacts {
  private min = 0;
  private max = Number.POSITIVE_INFINITY;
  /** Constraints on the value under one name, if it is present. */
  private readonly named = new Map<string, Formula[]>();
  /** Constraints on the values under the names of a language. */
  private readonly rules: Rule[] = [];
  /** Names that are present, and further constraints on their values. */
  private readonly present = new Map<string, Formula[]>();
  /** Properties that are present under an unknown name. */
  private some: Rule[] = [];
  /** Every name that is mentioned. */
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
    } while (this.pinOne());
    if (this.some.some((rule) => this.places(rule).length === 0)) return true;
    return this.tooFew();
  }

  /** Whether one more literal cannot hold. Checks one name alone, where the literal constrains just one. */
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
    return objectIsUnsatisfiable(this.solver, [...this.literals, literal]);
  }

  valueUnder(name: string): Formula[] {
    return this.goal(name, this.present.get(name) ?? []);
  }

  list(): Json[] | undefined {
    const { formulas } = this.solver;
    if (this.elsewhere(formulas.true, formulas.true)) return undefined;
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

  /** The names that are not forbidden, if they are few. */
  private allowedNames(): string[] {
    const { formulas } = this.solver;
    const forbidden = this.rules.filter(({ value }) => value.kind === "false");
    if (forbidden.length === 0) return [];
    return this.solver.names(formulas.all(forbidden.map(({ names }) => formulas.not(names))));
  }

  /** Gathers the names that a formula about names mentions. */
  private collectNames(formula: Formula, depth: number): void {
    if (formula.kind === "schema" && depth > 0) {
      this.collectNames(this.solver.semantics.unfold(formula, "string"), depth - 1);
    } else if (formula.kind === "all" || formula.kind === "any") {
      for (const member of formula.members) this.collectNames(member, depth);
    } else if (formula.kind === "literal" && formula.constraint.op === "values") {
      for (const name of formula.constraint.values.values()) this.names.add(name as string);
    }
  }

  /** All constraints on the value under a name. A rule that only may apply to the name is left out. */
  private goal(name: string, needed: readonly Formula[]): Formula[] {
    const { evaluator } = this.solver;
    const rules = this.rules.filter((rule) => evaluator.name(rule.names, name) === true);
    return [...needed, ...(this.named.get(name) ?? []), ...rules.map((rule) => rule.value)];
  }

  private feasible(name: string, needed: readonly Formula[]): boolean {
    return !this.solver.isUnsatisfiable(this.goal(name, needed));
  }

  /** The possible names of a property: mentioned ones, and `undefined` for any other. */
  private places({ names, value }: Rule): (string | undefined)[] {
    const full = this.present.size === this.max;
    const candidates = full ? [...this.present.keys()] : [...this.names];
    const places: (string | undefined)[] = candidates.filter((name) => {
      if (this.solver.evaluator.name(names, name) === false) return false;
      return this.feasible(name, [...(this.present.get(name) ?? []), value]);
    });
    if (!full && this.elsewhere(names, value)) places.push(undefined);
    return places;
  }

  /** Whether a property can have a name that is not mentioned. */
  private elsewhere(names: Formula, value: Formula): boolean {
    const { formulas } = this.solver;
    const other = formulas.values(this.names, false);
    const related = this.rules.slice(0, MAX_RULES);
    return this.split(formulas.all([names, other]), value, related);
  }

  /** Whether a name of a language can have such a value: splits on whether each rule applies to the name. */
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

  /** Finds a property that can have one name only, and marks it as present. */
  private pinOne(): boolean {
    for (const rule of this.some) {
      const [place, ...others] = this.places(rule);
      if (place === undefined || others.length > 0) continue;
      append(this.present, place, rule.value);
      this.some = this.some.filter((other) => other !== rule);
      return true;
    }
    return false;
  }

  /** Whether fewer names are possible than required. */
  private tooFew(): boolean {
    if (this.min <= this.present.size) return false;
    const { formulas } = this.solver;
    if (this.elsewhere(formulas.true, formulas.true)) return false;
    const possible = [...this.names].filter((name) => this.feasible(name, this.present.get(name) ?? []));
    return possible.length < this.min;
  }
}

/** The names of a formula that lists them. */
function exactNames(names: Formula): string[] | undefined {
  if (names.kind !== "literal" || names.constraint.op !== "values" || !names.constraint.holds)
    return undefined;
  return [...names.constraint.values.values()] as string[];
}

function append(map: Map<string, Formula[]>, name: string, formula: Formula): void {
  map.set(name, [...(map.get(name) ?? []), formula]);
}

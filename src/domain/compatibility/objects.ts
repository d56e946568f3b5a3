/** Rules for objects: which properties they have and may have, how many, and their values. */

import { sizesOf } from "./sizes.js";
import type { Fact, Solver, Term } from "./terms.js";

/** A condition on the value of every property, or of some property, whose name satisfies `names`. */
interface Rule {
  names: Term;
  value: Term;
}

/** Each rule for names that are not listed doubles the cases. */
const MAX_RULES = 8;

export class ObjectFacts {
  /** All names that the conditions list. */
  readonly names = new Set<string>();
  private readonly min: number;
  private readonly max: number;
  /** Conditions on the value of a property, if the object has it. */
  private readonly named = new Map<string, Term[]>();
  private readonly rules: Rule[] = [];
  /** The properties that the object has, with further conditions on their values. */
  private readonly present = new Map<string, Term[]>();
  /** Conditions that each hold for some property of unknown name. */
  private readonly some: Rule[] = [];

  constructor(
    private readonly solver: Solver,
    facts: readonly Fact[],
  ) {
    ({ min: this.min, max: this.max } = sizesOf(facts));
    for (const { condition, holds } of facts) {
      if (condition.rule !== "properties") continue;
      const { names } = condition;
      const value = holds ? condition.value : solver.terms.not(condition.value);
      const listed = listedNames(names);
      for (const name of listed ?? []) this.names.add(name);
      if (holds && listed) for (const name of listed) append(this.named, name, value);
      else if (holds) this.rules.push({ names, value });
      else if (listed?.length === 1) append(this.present, listed[0]!, value);
      else this.some.push({ names, value });
    }
    for (const { names } of this.rules)
      for (const name of listedNames(solver.terms.not(names)) ?? []) this.names.add(name);
  }

  isImpossible(): boolean {
    return (
      this.min > this.max ||
      this.present.size > this.max ||
      [...this.present.keys()].some((name) => !this.fits(name)) ||
      this.some.some((rule) => !this.hasPlace(rule)) ||
      this.hasTooFewNames()
    );
  }

  /** Returns the conditions on the value of a property, if the object has it. */
  valueOf(name: string): Term[] {
    const { solver } = this;
    const rules = this.rules.filter(({ names }) => !solver.mayHold(solver.terms.not(names), name));
    const values = rules.map(({ value }) => value);
    return [...(this.present.get(name) ?? []), ...(this.named.get(name) ?? []), ...values];
  }

  private fits(name: string, ...more: Term[]): boolean {
    return !this.solver.isImpossible([...this.valueOf(name), ...more]);
  }

  private hasPlace({ names, value }: Rule): boolean {
    const isPlace = (name: string) => this.solver.mayHold(names, name) && this.fits(name, value);
    return [...this.names].some(isPlace) || this.allowsOther(names, value);
  }

  private hasTooFewNames(): boolean {
    const { terms } = this.solver;
    if (this.min <= this.present.size || this.allowsOther(terms.true, terms.true)) return false;
    return [...this.names].filter((name) => this.fits(name)).length < this.min;
  }

  /** Returns whether the object may have a property that is not listed and that satisfies both terms. */
  private allowsOther(names: Term, value: Term): boolean {
    const { terms } = this.solver;
    const isOther = terms.not(terms.enum([...this.names]));
    return this.isPossible(terms.all([names, isOther]), value, this.rules.slice(0, MAX_RULES));
  }

  /** Tries both cases for each rule: it concerns the property, or not. */
  private isPossible(names: Term, value: Term, [rule, ...others]: readonly Rule[]): boolean {
    const { solver } = this;
    const { terms } = solver;
    if (solver.isImpossible([names], ["string"]) || solver.isImpossible([value])) return false;
    if (!rule) return true;
    const isConcerned = () => terms.all([names, rule.names]);
    return (
      this.isPossible(isConcerned(), terms.all([value, rule.value]), others) ||
      this.isPossible(terms.all([names, terms.not(rule.names)]), value, others)
    );
  }
}

/** Returns the names that a term lists, or undefined if it has another form. */
function listedNames(names: Term): string[] | undefined {
  if (names.kind !== "fact" || names.condition.rule !== "enum" || !names.holds) return undefined;
  return [...names.condition.values.values()] as string[];
}

function append(map: Map<string, Term[]>, name: string, term: Term): void {
  map.set(name, [...(map.get(name) ?? []), term]);
}

/** A cheap look at what a branch still has room for, without copying it or opening choices. */

import type { Branch } from "./branch.js";
import type { Formula, Literal } from "./formula.js";
import { arrayIsImpossible } from "./leaf-array.js";
import { numberIsImpossible } from "./leaf-number.js";
import { ObjectFacts } from "./leaf-object.js";
import { stringIsImpossible } from "./leaf-string.js";
import type { Prover } from "./prover.js";

export class Outlook {
  private readonly known = new Map<number, boolean>();
  private facts: ObjectFacts | undefined;

  constructor(
    private readonly prover: Prover,
    private readonly branch: Branch,
  ) {}

  /** True only if no instance that fits the branch can fit the formula. */
  rulesOut(formula: Formula): boolean {
    const known = this.known.get(formula.id);
    if (known !== undefined) return known;
    this.prover.budget.spend();
    this.known.set(formula.id, false); // Ends the unfolding of a schema that refers to itself in place.
    const verdict = this.branch.refutes(formula) || this.prover.deeper(() => this.judge(formula));
    this.known.set(formula.id, verdict);
    return verdict;
  }

  private judge(formula: Formula): boolean {
    switch (formula.kind) {
      case "true":
        return false;
      case "false":
        return true;
      case "all":
        return formula.members.some((member) => this.rulesOut(member));
      case "any":
        return formula.members.every((member) => this.rulesOut(member));
      case "schema":
        return this.rulesOut(this.prover.meaning.of(formula, this.branch.type));
      case "literal":
        return this.excludes(formula);
    }
  }

  private excludes(literal: Literal): boolean {
    const { prover, branch } = this;
    const all = () => [...branch.literals, literal];
    switch (branch.type) {
      case "number":
        return numberIsImpossible(all());
      case "string":
        return stringIsImpossible(prover, all());
      case "array":
        return arrayIsImpossible(prover, all());
      case "object":
        this.facts ??= new ObjectFacts(prover, branch.literals);
        return this.facts.excludes(literal);
      default:
        return false;
    }
  }
}

/**
 * Checks quickly whether a value can satisfy a branch and one more formula, without copying or splitting the
 * branch.
 */

import type { Formula, Literal } from "../formula/formula.js";
import { ArrayFacts } from "./arrays.js";
import type { Branch } from "./branch.js";
import { numberIsUnsatisfiable } from "./numbers.js";
import { ObjectFacts } from "./objects.js";
import type { Solver } from "./solver.js";
import { stringIsUnsatisfiable } from "./strings.js";

export class FeasibilityCheck {
  private readonly known = new Map<number, boolean>();
  private facts: ObjectFacts | undefined;

  constructor(
    private readonly solver: Solver,
    private readonly branch: Branch,
  ) {}

  /** Returns true only if it is proven that no value satisfies both the branch and the formula. */
  rulesOut(formula: Formula): boolean {
    const known = this.known.get(formula.id);
    if (known !== undefined) return known;
    this.solver.budget.spend();
    this.known.set(formula.id, false); // Stops the recursion if a schema refers back to itself.
    const verdict =
      this.branch.refutes(formula) || this.solver.atNextDepth(() => this.excludesFormula(formula));
    this.known.set(formula.id, verdict);
    return verdict;
  }

  private excludesFormula(formula: Formula): boolean {
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
        return this.rulesOut(this.solver.semantics.unfold(formula, this.branch.type));
      case "literal":
        return this.excludesLiteral(formula);
    }
  }

  private excludesLiteral(literal: Literal): boolean {
    const { solver, branch } = this;
    const all = () => [...branch.literals, literal];
    switch (branch.type) {
      case "number":
        return numberIsUnsatisfiable(all());
      case "string":
        return stringIsUnsatisfiable(solver.patterns, all());
      case "array":
        return new ArrayFacts(solver, all()).isUnsatisfiable();
      case "object":
        this.facts ??= new ObjectFacts(solver, branch.literals);
        return this.facts.excludes(literal);
      default:
        return false;
    }
  }
}

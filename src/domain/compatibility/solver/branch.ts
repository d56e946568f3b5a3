/**
 * One case of a proof: the conditions on a value of one type, and the choices that can split the case
 * further.
 */

import type { JsonType } from "../../json-schema/values.js";
import type { Budget } from "../budget.js";
import type { Formula, Group, Literal } from "../formula/formula.js";
import type { Semantics } from "../formula/semantics.js";

export class Branch {
  /**
   * The ids of all added formulas. They prevent a schema that refers back to itself from being expanded
   * twice.
   */
  private readonly seen: Set<number>;
  readonly literals: Literal[];
  /** Each choice is a list of alternative formulas, of which at least one must hold. */
  choices: Group[];

  constructor(
    readonly type: JsonType,
    private readonly semantics: Semantics,
    private readonly budget: Budget,
    from?: Branch,
  ) {
    this.seen = new Set(from?.seen);
    this.literals = [...(from?.literals ?? [])];
    this.choices = [...(from?.choices ?? [])];
  }

  copy(): Branch {
    this.budget.spend(1 + (this.seen.size >> 3));
    return new Branch(this.type, this.semantics, this.budget, this);
  }

  /** Adds conditions that must hold. Returns false if they contradict the branch. */
  add(...formulas: Formula[]): boolean {
    const pending = [...formulas];
    for (let formula = pending.pop(); formula; formula = pending.pop()) {
      if (this.seen.has(formula.id)) continue;
      this.budget.spend();
      if (formula.kind === "false" || this.refutes(formula)) return false;
      this.seen.add(formula.id);
      if (formula.kind === "all") pending.push(...formula.members);
      else if (formula.kind === "any") this.choices.push(formula);
      else if (formula.kind === "literal") this.literals.push(formula);
      else if (formula.kind === "schema") pending.push(this.semantics.unfold(formula, this.type));
    }
    return true;
  }

  /**
   * Simplifies the branch. Removes each choice that already holds. If only one alternative of a choice is
   * still possible, adds it as a condition. Returns false on a contradiction.
   */
  propagateUnits(): boolean {
    for (let changed = true; changed; ) {
      changed = false;
      for (const choice of this.choices) {
        this.budget.spend(1 + (choice.members.length >> 3));
        const satisfied = choice.members.some((member) => this.seen.has(member.id));
        const open = choice.members.filter((member) => !this.refutes(member));
        if (!satisfied && open.length === choice.members.length) continue;
        this.choices = this.choices.filter((other) => other !== choice);
        if (!satisfied && !this.add(this.semantics.formulas.any(open))) return false;
        changed = true;
      }
    }
    return true;
  }

  without(choice: Group): Branch {
    const copy = this.copy();
    copy.choices = copy.choices.filter((other) => other !== choice);
    return copy;
  }

  replace(choice: Group, open: Formula): boolean {
    this.choices = this.choices.filter((other) => other !== choice);
    return this.add(open);
  }

  refutes(formula: Formula): boolean {
    return this.seen.has(this.semantics.formulas.not(formula).id);
  }
}

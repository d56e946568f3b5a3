/**
 * Proves that no value satisfies a list of conditions, by the tableau method: the prover splits the
 * conditions into cases and refutes each case. A new schema is compatible if no value is valid under the old
 * schema but invalid under the new one. The prover may fail to find a proof, but each proof that it finds is
 * correct.
 */

import { JSON_TYPES, type Json, type JsonType } from "../../json-schema/values.js";
import type { Budget } from "../budget.js";
import type { Formula, Formulas, Group } from "../formula/formula.js";
import type { Semantics } from "../formula/semantics.js";
import { ArrayFacts } from "./arrays.js";
import { Branch } from "./branch.js";
import { enumerate, enumerateBranch } from "./enumeration.js";
import { Evaluator } from "./evaluator.js";
import { FeasibilityCheck } from "./feasibility.js";
import { numberIsUnsatisfiable } from "./numbers.js";
import { ObjectFacts } from "./objects.js";
import type { Solver } from "./solver.js";
import { Patterns, stringIsUnsatisfiable } from "./strings.js";

/** Maximum nesting depth of a proof. Deeper parts count as not proven. */
const MAX_DEPTH = 250;

/**
 * Maximum number of alternatives that the prover tries to refute completely before it splits a branch. For
 * more alternatives, the prover uses only the quick feasibility check.
 */
const MAX_TRIED = 60;

/**
 * A goal whose proof is in progress. `provisional` lists the goals whose proofs assume that this one
 * succeeds.
 */
interface Frame {
  key: string;
  /** Index of the outermost goal that this proof assumes to be proven. */
  assumes: number;
  provisional: string[];
}

export class Prover implements Solver {
  readonly formulas: Formulas;
  readonly patterns: Patterns;
  readonly evaluator: Evaluator;
  private readonly listed = new Map<number, string[]>();
  private readonly verdicts = new Map<string, { unsatisfiable: boolean; assumes: number }>();
  private readonly frames: Frame[] = [];
  private depth = 0;
  private nesting = 0;

  constructor(
    readonly semantics: Semantics,
    readonly budget: Budget,
  ) {
    this.formulas = semantics.formulas;
    this.patterns = new Patterns(budget);
    this.evaluator = new Evaluator(semantics, this.patterns, budget);
  }

  /**
   * If the same goal occurs again inside its own proof, the inner goal is assumed to be proven. This
   * induction is sound, because the inner goal concerns a smaller part of the value.
   */
  isUnsatisfiable(goal: Iterable<Formula>, types: readonly JsonType[] = JSON_TYPES): boolean {
    const whole = this.formulas.all(goal);
    this.budget.spend();
    if (whole.kind === "false") return true;
    if (whole.kind === "true") return false;
    const key = types === JSON_TYPES ? `${whole.id}` : `${whole.id} ${types.join()}`;
    const known = this.verdicts.get(key);
    if (known) return this.reuseVerdict(known.unsatisfiable, known.assumes);
    const open = this.frames.findIndex((frame) => frame.key === key);
    if (open >= 0) return this.reuseVerdict(true, open);
    if (this.depth > MAX_DEPTH) return false;
    return this.prove(key, whole, types);
  }

  private prove(key: string, whole: Formula, types: readonly JsonType[]): boolean {
    const at = this.frames.length;
    const frame: Frame = { key, assumes: at, provisional: [] };
    this.frames.push(frame);
    const unsatisfiable = types.every((type) => !this.search(type, [whole], () => true));
    this.frames.pop();
    const assumes = unsatisfiable && frame.assumes < at ? frame.assumes : Number.POSITIVE_INFINITY;
    for (const other of frame.provisional) {
      if (unsatisfiable) this.verdicts.set(other, { unsatisfiable, assumes });
      else this.verdicts.delete(other);
    }
    if (assumes < at) this.frames[assumes]?.provisional.push(key, ...frame.provisional);
    this.verdicts.set(key, { unsatisfiable, assumes });
    return this.reuseVerdict(unsatisfiable, assumes);
  }

  private reuseVerdict(unsatisfiable: boolean, assumes: number): boolean {
    const frame = this.frames.at(-1);
    if (unsatisfiable && frame) frame.assumes = Math.min(frame.assumes, assumes);
    return unsatisfiable;
  }

  /** At the maximum depth, `visit` may get a branch that still has open choices. */
  search(type: JsonType, goal: readonly Formula[], visit: (branch: Branch) => boolean): boolean {
    const branch = new Branch(type, this.semantics, this.budget);
    return branch.add(...goal) && this.explore(branch, visit);
  }

  private explore(branch: Branch, visit: (branch: Branch) => boolean): boolean {
    if (!branch.propagateUnits()) return false;
    const values = enumerateBranch(this, branch);
    const verdict = values && this.valuesLeft(branch, values);
    if (verdict === false || this.closed(branch)) return false;
    if (verdict === true || branch.choices.length === 0 || this.depth > MAX_DEPTH) return visit(branch);
    this.depth++;
    const stopped = this.branchOnChoice(branch, visit);
    this.depth--;
    return stopped;
  }

  private branchOnChoice(branch: Branch, visit: (branch: Branch) => boolean): boolean {
    const feasibility = new FeasibilityCheck(this, branch);
    const quickly = (formula: Formula) => feasibility.rulesOut(formula);
    let progress = this.narrow(branch, quickly, () => quickly);
    if (progress === "none" && branch.choices.length > 1 && membersOf(branch) <= MAX_TRIED) {
      const fully = (within: Branch) => (formula: Formula) => this.refuted(within, formula);
      progress = this.narrow(branch, fully(branch), (choice) => fully(branch.without(choice)));
    }
    if (progress === "closed") return false;
    if (progress === "some") return this.explore(branch, visit);
    const choice = this.narrowest(branch);
    for (const member of choice.members) {
      const next = branch.copy();
      if (next.replace(choice, member) && this.explore(next, visit)) return true;
    }
    return false;
  }

  /** Returns the choice with the fewest alternatives. A nested choice counts as all its members. */
  private narrowest(branch: Branch): Group {
    const alternatives = (formula: Formula) => {
      const unfolded = formula.kind === "schema" ? this.semantics.unfold(formula, branch.type) : formula;
      return unfolded.kind === "any" ? unfolded.members.length : 1;
    };
    const width = (choice: Group) => choice.members.reduce((sum, member) => sum + alternatives(member), 0);
    const widths = new Map(branch.choices.map((choice) => [choice, width(choice)]));
    const least = Math.min(...widths.values());
    return branch.choices.find((choice) => widths.get(choice) === least) as Group;
  }

  /**
   * Simplifies a branch's choices. Removes members that are ruled out, and choices that always hold. A choice
   * always holds if the rest of the branch implies one of its members.
   */
  private narrow(
    branch: Branch,
    ruledOut: (formula: Formula) => boolean,
    without: (choice: Group) => (formula: Formula) => boolean,
  ): "closed" | "some" | "none" {
    let progress: "some" | "none" = "none";
    for (const choice of [...branch.choices]) {
      const open = choice.members.filter((member) => !ruledOut(member));
      if (open.length === 0) return "closed";
      const ruledOutBesides = without(choice);
      const sure = open.some((member) => ruledOutBesides(this.formulas.not(member)));
      if (!sure && open.length === choice.members.length) continue;
      if (!branch.replace(choice, sure ? this.formulas.true : this.formulas.any(open))) return "closed";
      progress = "some";
    }
    return progress;
  }

  refuted(branch: Branch, formula: Formula): boolean {
    const next = branch.copy();
    return !next.add(formula) || !next.propagateUnits() || this.closed(next);
  }

  private valuesLeft(branch: Branch, values: readonly Json[]): boolean | undefined {
    const whole = this.formulas.all([...branch.literals, ...branch.choices]);
    const verdicts = values.map((value) => this.evaluator.evaluate(whole, value));
    if (verdicts.every((verdict) => verdict === false)) return false;
    return verdicts.includes(true) ? true : undefined;
  }

  private closed(branch: Branch): boolean {
    const { literals } = branch;
    this.budget.spend(1 + literals.length);
    switch (branch.type) {
      case "number":
        return numberIsUnsatisfiable(literals);
      case "string":
        return stringIsUnsatisfiable(this.patterns, literals);
      case "array":
        return this.atNextDepth(() => new ArrayFacts(this, literals).isUnsatisfiable());
      case "object":
        return this.atNextDepth(() => new ObjectFacts(this, literals).isUnsatisfiable());
      default:
        return false;
    }
  }

  enumerate(
    goal: readonly Formula[],
    types: readonly JsonType[] = JSON_TYPES,
  ): ReadonlyMap<string, Json> | undefined {
    return enumerate(this, goal, types);
  }

  enumerateNames(formula: Formula): string[] {
    const known = this.listed.get(formula.id);
    if (known) return known;
    const names = [...(this.enumerate([formula], ["string"])?.values() ?? [])] as string[];
    this.listed.set(formula.id, names);
    return names;
  }

  withNestingLimit<T>(limit: number, work: () => T): T | undefined {
    if (this.nesting >= limit || this.depth > MAX_DEPTH) return undefined;
    this.nesting++;
    const result = work();
    this.nesting--;
    return result;
  }

  atNextDepth(work: () => boolean): boolean {
    if (this.depth > MAX_DEPTH) return false;
    this.depth++;
    const result = work();
    this.depth--;
    return result;
  }
}

function membersOf(branch: Branch): number {
  return branch.choices.reduce((count, choice) => count + choice.members.length, 0);
}

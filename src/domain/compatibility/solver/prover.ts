/**
 * A tableau prover: shows that a goal, a set of formulas, is unsatisfiable. The old schema is contained in the new one if
 * "valid under old and not valid under new" is unsatisfiable. The prover is sound and incomplete.
 */

import type { Budget } from "../budget.js";
import type { Formula, Formulas, Group } from "../formula/formula.js";
import type { Semantics } from "../formula/semantics.js";
import { JSON_TYPES, type Json, type JsonType } from "../json.js";
import { arrayIsUnsatisfiable } from "./arrays.js";
import { Branch } from "./branch.js";
import { enumerate, enumerateBranch } from "./enumeration.js";
import { Evaluator } from "./evaluator.js";
import { FeasibilityCheck } from "./feasibility.js";
import { numberIsUnsatisfiable } from "./numbers.js";
import { objectIsUnsatisfiable } from "./objects.js";
import type { Solver } from "./solver.js";
import { Patterns, stringIsUnsatisfiable } from "./strings.js";

/** Nested goals and choices past which a goal counts as not proven. */
const MAX_DEPTH = 250;

/** Members of choices up to which each is refuted in full before branching; above, only the feasibility check runs. */
const MAX_TRIED = 60;

/** A goal being proven; `provisional` are goals that were proven on the assumption that this one will be. */
interface Frame {
  key: string;
  /** The outermost frame that the proof so far assumes. */
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
   * Whether certainly no instance (of one of the types) satisfies all formulas. A goal that recurs while it is being proven
   * is assumed to be proven, by induction over the size of the instance: it constrains a part of the instance, and a smallest
   * satisfying instance cannot contain a smaller one.
   */
  isUnsatisfiable(goal: Iterable<Formula>, types: readonly JsonType[] = JSON_TYPES): boolean {
    const whole = this.formulas.all(goal);
    this.budget.spend();
    if (whole.kind === "false") return true;
    if (whole.kind === "true") return false;
    const key = types === JSON_TYPES ? `${whole.id}` : `${whole.id} ${types.join()}`;
    const known = this.verdicts.get(key);
    if (known) return this.use(known.unsatisfiable, known.assumes);
    const open = this.frames.findIndex((frame) => frame.key === key);
    if (open >= 0) return this.use(true, open);
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
    return this.use(unsatisfiable, assumes);
  }

  private use(unsatisfiable: boolean, assumes: number): boolean {
    const frame = this.frames.at(-1);
    if (unsatisfiable && frame) frame.assumes = Math.min(frame.assumes, assumes);
    return unsatisfiable;
  }

  /**
   * Calls `visit` with every branch of a goal that cannot be closed; stops and returns true once it returns true.
   * A branch may still have choices where the search was cut short.
   */
  search(type: JsonType, goal: readonly Formula[], visit: (branch: Branch) => boolean): boolean {
    const branch = new Branch(type, this.semantics, this.budget);
    return branch.add(...goal) && this.explore(branch, visit);
  }

  private explore(branch: Branch, visit: (branch: Branch) => boolean): boolean {
    if (!branch.settle()) return false;
    const values = enumerateBranch(this, branch);
    const verdict = values && this.valuesLeft(branch, values);
    if (verdict === false || this.closed(branch)) return false;
    if (verdict === true || branch.choices.length === 0 || this.depth > MAX_DEPTH) return visit(branch);
    this.depth++;
    const stopped = this.branchOut(branch, visit);
    this.depth--;
    return stopped;
  }

  private branchOut(branch: Branch, visit: (branch: Branch) => boolean): boolean {
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

  /** The choice with the fewest alternatives; a member that is itself a choice counts with all of its own. */
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
   * Takes members off choices that are ruled out, and choices that hold anyway: those of which some member has
   * its opposite ruled out by what is left `without` the choice.
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

  /** Whether a branch cannot take one more formula. */
  refuted(branch: Branch, formula: Formula): boolean {
    const next = branch.copy();
    return !next.add(formula) || !next.settle() || this.closed(next);
  }

  /** False: every value violates a formula. True: some value certainly satisfies all. */
  private valuesLeft(branch: Branch, values: readonly Json[]): boolean | undefined {
    const whole = this.formulas.all([...branch.literals, ...branch.choices]);
    const verdicts = values.map((value) => this.evaluator.fits(whole, value));
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
        return this.deeper(() => arrayIsUnsatisfiable(this, literals));
      case "object":
        return this.deeper(() => objectIsUnsatisfiable(this, literals));
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

  names(formula: Formula): string[] {
    const known = this.listed.get(formula.id);
    if (known) return known;
    const names = [...(this.enumerate([formula], ["string"])?.values() ?? [])] as string[];
    this.listed.set(formula.id, names);
    return names;
  }

  nested<T>(limit: number, work: () => T): T | undefined {
    if (this.nesting >= limit || this.depth > MAX_DEPTH) return undefined;
    this.nesting++;
    const result = work();
    this.nesting--;
    return result;
  }

  deeper(work: () => boolean): boolean {
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

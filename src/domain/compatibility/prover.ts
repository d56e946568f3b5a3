/**
 * Proves that no instance fits a goal, a set of formulas. "Old is contained in new" is the goal "valid under old
 * and not valid under new". A proof is sound; the lack of one says nothing.
 */

import { Branch } from "./branch.js";
import type { Budget } from "./budget.js";
import { Evaluator } from "./evaluate.js";
import { finiteValues, listValues } from "./finite.js";
import type { Formula, Formulas, Group } from "./formula.js";
import { JSON_TYPES, type Json, type JsonType } from "./json.js";
import { arrayIsImpossible } from "./leaf-array.js";
import { numberIsImpossible } from "./leaf-number.js";
import { objectIsImpossible } from "./leaf-object.js";
import { stringIsImpossible } from "./leaf-string.js";
import type { Meaning } from "./meaning.js";
import { Outlook } from "./outlook.js";
import { Patterns } from "./patterns.js";

/** Nested goals and choices past which a goal counts as not proven. */
const MAX_DEPTH = 250;

/** Members of choices that are tried in full before branching; past that, only the cheap look is taken. */
const MAX_TRIED = 60;

/** A goal being proven; `provisional` are goals that were proven on the assumption that this one will be. */
interface Frame {
  key: string;
  /** The outermost frame that the proof so far assumes. */
  assumes: number;
  provisional: string[];
}

export class Prover {
  readonly formulas: Formulas;
  readonly patterns: Patterns;
  readonly evaluator: Evaluator;
  private readonly listed = new Map<number, string[]>();
  private readonly verdicts = new Map<string, { impossible: boolean; assumes: number }>();
  private readonly frames: Frame[] = [];
  private depth = 0;
  private nesting = 0;

  constructor(
    readonly meaning: Meaning,
    readonly budget: Budget,
  ) {
    this.formulas = meaning.formulas;
    this.patterns = new Patterns(budget);
    this.evaluator = new Evaluator(meaning, this.patterns, budget);
  }

  /**
   * Whether certainly no instance (of one of the types) fits all the formulas. A goal that comes up again while
   * it is being proven is taken as proven: it speaks of a smaller part of the instance, and a smallest instance
   * that fits cannot have a smaller one inside.
   */
  impossible(goal: Iterable<Formula>, types: readonly JsonType[] = JSON_TYPES): boolean {
    const whole = this.formulas.all(goal);
    this.budget.spend();
    if (whole.kind === "false") return true;
    if (whole.kind === "true") return false;
    const key = types === JSON_TYPES ? `${whole.id}` : `${whole.id} ${types.join()}`;
    const known = this.verdicts.get(key);
    if (known) return this.use(known.impossible, known.assumes);
    const open = this.frames.findIndex((frame) => frame.key === key);
    if (open >= 0) return this.use(true, open);
    if (this.depth > MAX_DEPTH) return false;
    return this.prove(key, whole, types);
  }

  private prove(key: string, whole: Formula, types: readonly JsonType[]): boolean {
    const at = this.frames.length;
    const frame: Frame = { key, assumes: at, provisional: [] };
    this.frames.push(frame);
    const impossible = types.every((type) => !this.search(type, [whole], () => true));
    this.frames.pop();
    const assumes = impossible && frame.assumes < at ? frame.assumes : Number.POSITIVE_INFINITY;
    for (const other of frame.provisional) {
      if (impossible) this.verdicts.set(other, { impossible, assumes });
      else this.verdicts.delete(other);
    }
    if (assumes < at) this.frames[assumes]?.provisional.push(key, ...frame.provisional);
    this.verdicts.set(key, { impossible, assumes });
    return this.use(impossible, assumes);
  }

  private use(impossible: boolean, assumes: number): boolean {
    const frame = this.frames.at(-1);
    if (impossible && frame) frame.assumes = Math.min(frame.assumes, assumes);
    return impossible;
  }

  /**
   * Calls `visit` with every branch of a goal that could not be closed; stops and gives true once it returns true.
   * A branch may still have choices where the search was cut short.
   */
  search(type: JsonType, goal: readonly Formula[], visit: (branch: Branch) => boolean): boolean {
    const branch = new Branch(type, this.meaning, this.budget);
    return branch.add(...goal) && this.explore(branch, visit);
  }

  private explore(branch: Branch, visit: (branch: Branch) => boolean): boolean {
    if (!branch.settle()) return false;
    const values = finiteValues(this, branch);
    const verdict = values && this.valuesLeft(branch, values);
    if (verdict === false || this.closed(branch)) return false;
    if (verdict === true || branch.choices.length === 0 || this.depth > MAX_DEPTH) return visit(branch);
    this.depth++;
    const stopped = this.branchOut(branch, visit);
    this.depth--;
    return stopped;
  }

  private branchOut(branch: Branch, visit: (branch: Branch) => boolean): boolean {
    const outlook = new Outlook(this, branch);
    const cheaply = (formula: Formula) => outlook.rulesOut(formula);
    let progress = this.narrow(branch, cheaply, () => cheaply);
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

  /** The choice with the fewest ways; a member that is itself a choice counts as so many. */
  private narrowest(branch: Branch): Group {
    const ways = (formula: Formula) => {
      const spelt = formula.kind === "schema" ? this.meaning.of(formula, branch.type) : formula;
      return spelt.kind === "any" ? spelt.members.length : 1;
    };
    const width = (choice: Group) => choice.members.reduce((sum, member) => sum + ways(member), 0);
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

  /** Whether a branch cannot take a formula besides. */
  refuted(branch: Branch, formula: Formula): boolean {
    const next = branch.copy();
    return !next.add(formula) || !next.settle() || this.closed(next);
  }

  /** False: every value breaks something. True: some value certainly fits. */
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
        return numberIsImpossible(literals);
      case "string":
        return stringIsImpossible(this, literals);
      case "array":
        return this.deeper(() => arrayIsImpossible(this, literals));
      case "object":
        return this.deeper(() => objectIsImpossible(this, literals));
      default:
        return false;
    }
  }

  /** The names that fit a formula about names; none where they are too many to list. */
  names(formula: Formula): string[] {
    const known = this.listed.get(formula.id);
    if (known) return known;
    const names = [...(listValues(this, [formula], ["string"])?.values() ?? [])] as string[];
    this.listed.set(formula.id, names);
    return names;
  }

  /** Does work that would nest without end for some schemas; undefined past the limit. */
  nested<T>(limit: number, work: () => T): T | undefined {
    if (this.nesting >= limit || this.depth > MAX_DEPTH) return undefined;
    this.nesting++;
    const result = work();
    this.nesting--;
    return result;
  }

  /** Does work one level down; false past the limit. */
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

/** What the checks for each type of instance ask of the prover, which calls them. */

import type { Budget } from "../budget.js";
import type { Formula, Formulas } from "../formula/formula.js";
import type { Semantics } from "../formula/semantics.js";
import type { Json, JsonType } from "../json.js";
import type { Branch } from "./branch.js";
import type { Evaluator } from "./evaluator.js";
import type { Patterns } from "./strings.js";

/** Sets of values larger than this are not enumerated. */
export const MAX_VALUES = 300;

export interface Solver {
  readonly formulas: Formulas;
  readonly semantics: Semantics;
  readonly patterns: Patterns;
  readonly evaluator: Evaluator;
  readonly budget: Budget;

  /** Whether certainly no instance (of one of the types) satisfies all formulas of a goal. */
  isUnsatisfiable(goal: Iterable<Formula>, types?: readonly JsonType[]): boolean;

  /** Whether a branch cannot take one more formula. */
  refuted(branch: Branch, formula: Formula): boolean;

  /** Visits the branches of a goal that are not closed; stops, and returns true, once `visit` returns true. */
  search(type: JsonType, goal: readonly Formula[], visit: (branch: Branch) => boolean): boolean;

  /**
   * Every value that could satisfy a goal, and perhaps more, by canonical text; undefined where they are too many to
   * enumerate.
   */
  enumerate(goal: readonly Formula[], types?: readonly JsonType[]): ReadonlyMap<string, Json> | undefined;

  /** The names that satisfy a formula about names; none where they are too many to enumerate. */
  names(formula: Formula): string[];

  /** Does work that would nest without end for some schemas; undefined past the limit. */
  nested<T>(limit: number, work: () => T): T | undefined;

  /** Does work one level down; false past the limit. */
  deeper(work: () => boolean): boolean;
}

/** The prover's interface for the checks of arrays, objects and other types. It avoids an import cycle. */

import type { Json, JsonType } from "../../json-schema/values.js";
import type { Budget } from "../budget.js";
import type { Formula, Formulas } from "../formula/formula.js";
import type { Semantics } from "../formula/semantics.js";
import type { Branch } from "./branch.js";
import type { Evaluator } from "./evaluator.js";
import type { Patterns } from "./strings.js";

export const MAX_VALUES = 300;

export interface Solver {
  readonly formulas: Formulas;
  readonly semantics: Semantics;
  readonly patterns: Patterns;
  readonly evaluator: Evaluator;
  readonly budget: Budget;

  /**
   * Returns true only if it is proven that no value of the given types satisfies all formulas of the goal.
   */
  isUnsatisfiable(goal: Iterable<Formula>, types?: readonly JsonType[]): boolean;

  /** Returns true only if it is proven that no value satisfies both the branch and the formula. */
  refuted(branch: Branch, formula: Formula): boolean;

  /**
   * Splits the goal's conditions into cases, and calls `visit` for each case without a contradiction. Stops
   * and returns true as soon as `visit` returns true.
   */
  search(type: JsonType, goal: readonly Formula[], visit: (branch: Branch) => boolean): boolean;

  /**
   * Returns a map that contains every value that satisfies a goal, keyed by canonical JSON text. The map may
   * also contain other values. Returns undefined if it would be too large.
   */
  enumerate(goal: readonly Formula[], types?: readonly JsonType[]): ReadonlyMap<string, Json> | undefined;

  /** Returns the property names that satisfy a formula, or an empty list if there are too many. */
  enumerateNames(formula: Formula): string[];

  /**
   * Runs `work`, which may call this method again. Returns undefined if the calls are nested more than
   * `limit` deep, because a recursive schema could nest them without end.
   */
  withNestingLimit<T>(limit: number, work: () => T): T | undefined;

  atNextDepth(work: () => boolean): boolean;
}

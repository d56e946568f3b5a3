/**
 * Lists the values that satisfy a list of conditions, if there are few. For example, only 1 and 2 satisfy
 * `{type: "integer", minimum: 1, maximum: 2}`.
 */

import { canonicalText, JSON_TYPES, type Json, type JsonType } from "../../json-schema/values.js";
import type { Formula, Literal } from "../formula/formula.js";
import { ArrayFacts } from "./arrays.js";
import type { Branch } from "./branch.js";
import { multiplesIn } from "./numbers.js";
import { ObjectFacts } from "./objects.js";
import { MAX_VALUES, type Solver } from "./solver.js";
import { listStrings } from "./strings.js";

const MAX_NESTING = 3;

/**
 * Returns a list that contains every value that satisfies the branch, which is one case of a proof. The list
 * may also contain other values. Returns undefined if it would be too long.
 */
export function enumerateBranch(solver: Solver, branch: Branch): readonly Json[] | undefined {
  const { literals, type } = branch;
  const given = literals.flatMap(({ constraint }) =>
    constraint.op === "values" && constraint.holds ? [[...constraint.values.values()]] : [],
  );
  if (given.length > 0) return given.reduce((a, b) => (b.length < a.length ? b : a));
  if (type === "null") return [null];
  if (type === "boolean") return [false, true];
  if (type === "number") return multiplesIn(literals, MAX_VALUES);
  if (literals.some(({ constraint }) => constraint.op === "maxSize" && constraint.size === 0))
    return [EMPTY[type]];
  return type !== "string" && literals.some(excludes) ? enumerateParts(solver, branch) : undefined;
}

const EMPTY: Record<"string" | "array" | "object", Json> = { string: "", array: [], object: {} };

function excludes({ constraint }: Literal): boolean {
  return constraint.op === "values" && !constraint.holds;
}

export function enumerate(
  solver: Solver,
  goal: readonly Formula[],
  types: readonly JsonType[] = JSON_TYPES,
): ReadonlyMap<string, Json> | undefined {
  const found = new Map<string, Json>();
  for (const type of types) if (!collect(solver, type, goal, found)) return undefined;
  return found;
}

function collect(
  solver: Solver,
  type: JsonType,
  goal: readonly Formula[],
  found: Map<string, Json>,
): boolean {
  return !solver.search(type, goal, (branch) => {
    const values = enumerateBranch(solver, branch) ?? enumerateParts(solver, branch);
    const whole = solver.formulas.all([...branch.literals, ...branch.choices]);
    for (const value of values ?? []) {
      if (solver.evaluator.evaluate(whole, value) !== false) found.set(canonicalText(value), value);
    }
    return values === undefined || found.size > MAX_VALUES;
  });
}

function enumerateParts(solver: Solver, { type, literals }: Branch): Json[] | undefined {
  if (type === "string") return listStrings(solver.patterns, literals, MAX_VALUES);
  if (type !== "array" && type !== "object") return undefined;
  const Facts = type === "array" ? ArrayFacts : ObjectFacts;
  return solver.withNestingLimit(MAX_NESTING, () => new Facts(solver, literals).list());
}

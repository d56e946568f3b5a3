/** Enumerates the values of goals that only finitely many values can satisfy. */

import type { Formula, Literal } from "../formula/formula.js";
import { canonical, JSON_TYPES, type Json, type JsonType } from "../json.js";
import { listArrays } from "./arrays.js";
import type { Branch } from "./branch.js";
import { multiplesIn } from "./numbers.js";
import { listObjects } from "./objects.js";
import { MAX_VALUES, type Solver } from "./solver.js";
import { listStrings } from "./strings.js";

/** Nesting to which arrays and objects are composed of the values of their parts. */
const MAX_NESTING = 3;

/** Every value that could fit a branch, and perhaps more; undefined where they are too many to list. */
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
  return type !== "string" && literals.some(excludes) ? composed(solver, branch) : undefined;
}

const EMPTY: Record<"string" | "array" | "object", Json> = { string: "", array: [], object: {} };

function excludes({ constraint }: Literal): boolean {
  return constraint.op === "values" && !constraint.holds;
}

/** Every value that could fit a goal, and perhaps more, by canonical text; undefined where they are too many to list. */
export function enumerate(
  solver: Solver,
  goal: readonly Formula[],
  types: readonly JsonType[] = JSON_TYPES,
): ReadonlyMap<string, Json> | undefined {
  const found = new Map<string, Json>();
  for (const type of types) if (!collect(solver, type, goal, found)) return undefined;
  return found;
}

/** False: some branch has no finite set of values. */
function collect(
  solver: Solver,
  type: JsonType,
  goal: readonly Formula[],
  found: Map<string, Json>,
): boolean {
  return !solver.search(type, goal, (branch) => {
    const values = enumerateBranch(solver, branch) ?? composed(solver, branch);
    const whole = solver.formulas.all([...branch.literals, ...branch.choices]);
    for (const value of values ?? []) {
      if (solver.evaluator.fits(whole, value) !== false) found.set(canonical(value), value);
    }
    return values === undefined || found.size > MAX_VALUES;
  });
}

/** The strings that could fit the patterns of a branch, the arrays or objects composed of values of their parts. */
function composed(solver: Solver, { type, literals }: Branch): Json[] | undefined {
  if (type === "string") return listStrings(solver.patterns, literals, MAX_VALUES);
  if (type !== "array" && type !== "object") return undefined;
  return solver.nested(MAX_NESTING, () =>
    type === "array" ? listArrays(solver, literals) : listObjects(solver, literals),
  );
}

/** Goals that only finitely many values can fit. */

import type { Branch } from "./branch.js";
import type { Formula, Literal } from "./formula.js";
import { canonical, JSON_TYPES, type Json, type JsonType } from "./json.js";
import { listArrays } from "./leaf-array.js";
import { multiplesIn } from "./leaf-number.js";
import { listObjects } from "./leaf-object.js";
import { listStrings } from "./leaf-string.js";
import type { Prover } from "./prover.js";

/** Sets larger than this are not listed. */
export const MAX_VALUES = 300;

/** How deep arrays and objects are put together from the values of their parts. */
const MAX_NESTING = 3;

/** Every value that could fit a branch, and perhaps more; undefined where they are too many to list. */
export function finiteValues(prover: Prover, branch: Branch): readonly Json[] | undefined {
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
  return type !== "string" && literals.some(excludes) ? composed(prover, branch) : undefined;
}

const EMPTY: Record<"string" | "array" | "object", Json> = { string: "", array: [], object: {} };

function excludes({ constraint }: Literal): boolean {
  return constraint.op === "values" && !constraint.holds;
}

/** Every value that could fit a goal, and perhaps more, by canonical text; undefined where they are too many to list. */
export function listValues(
  prover: Prover,
  goal: readonly Formula[],
  types: readonly JsonType[] = JSON_TYPES,
): ReadonlyMap<string, Json> | undefined {
  const found = new Map<string, Json>();
  for (const type of types) if (!collect(prover, type, goal, found)) return undefined;
  return found;
}

/** False: some branch has no finite set of values. */
function collect(
  prover: Prover,
  type: JsonType,
  goal: readonly Formula[],
  found: Map<string, Json>,
): boolean {
  return !prover.search(type, goal, (branch) => {
    const values = finiteValues(prover, branch) ?? composed(prover, branch);
    const whole = prover.formulas.all([...branch.literals, ...branch.choices]);
    for (const value of values ?? []) {
      if (prover.evaluator.fits(whole, value) !== false) found.set(canonical(value), value);
    }
    return values === undefined || found.size > MAX_VALUES;
  });
}

/** The strings that could fit the patterns of a branch, the arrays or objects put together from values of their parts. */
function composed(prover: Prover, { type, literals }: Branch): Json[] | undefined {
  if (type === "string") return listStrings(prover, literals, MAX_VALUES);
  if (type !== "array" && type !== "object") return undefined;
  return prover.nested(MAX_NESTING, () =>
    type === "array" ? listArrays(prover, literals) : listObjects(prover, literals),
  );
}

/** Goals that only finitely many values can fit. */

import type { Branch } from "./branch.js";
import type { Formula, Literal } from "./formula.js";
import { canonical, JSON_TYPES, type Json, type JsonType } from "./json.js";
import { multiplesIn } from "./leaf-number.js";
import type { Prover } from "./prover.js";

/** Sets larger than this are not listed. */
const MAX_VALUES = 300;

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
  if (maxSize(literals) !== 0) return undefined;
  prover.budget.spend();
  return [EMPTY[type]];
}

const EMPTY: Record<"string" | "array" | "object", Json> = { string: "", array: [], object: {} };

function maxSize(literals: readonly Literal[]): number {
  const sizes = literals.map(({ constraint }) =>
    constraint.op === "maxSize" ? constraint.size : Number.POSITIVE_INFINITY,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...sizes);
}

/** How many different values can fit a goal at most; undefined where there is no telling. */
export function countValues(prover: Prover, goal: readonly Formula[]): number | undefined {
  const found = new Set<string>();
  for (const type of JSON_TYPES) if (!collect(prover, type, goal, found)) return undefined;
  return found.size;
}

/** False: some branch has no finite set of values. */
function collect(prover: Prover, type: JsonType, goal: readonly Formula[], found: Set<string>): boolean {
  return !prover.search(type, goal, (branch) => {
    const values = finiteValues(prover, branch);
    const whole = prover.formulas.all([...branch.literals, ...branch.choices]);
    for (const value of values ?? []) {
      if (prover.evaluator.fits(whole, value) !== false) found.add(canonical(value));
    }
    return values === undefined || found.size > MAX_VALUES;
  });
}

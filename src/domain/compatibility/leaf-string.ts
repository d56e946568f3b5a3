/** Whether literals about one string contradict each other. */

import type { Literal } from "./formula.js";
import type { StringFacts } from "./patterns.js";
import type { Prover } from "./prover.js";

export function stringIsImpossible(prover: Prover, literals: readonly Literal[]): boolean {
  const facts = gather(literals);
  if (facts.min > facts.max) return true;
  return facts.patterns.length > 0 && prover.patterns.noneFits(facts);
}

/** Every string that could fit, and perhaps more; undefined where they are too many to list. */
export function listStrings(
  prover: Prover,
  literals: readonly Literal[],
  limit: number,
): string[] | undefined {
  return prover.patterns.list(gather(literals), limit);
}

function gather(literals: readonly Literal[]): StringFacts {
  const facts: StringFacts = { patterns: [], excluded: [], min: 0, max: Number.POSITIVE_INFINITY };
  for (const { constraint } of literals) {
    if (constraint.op === "minSize") facts.min = Math.max(facts.min, constraint.size);
    if (constraint.op === "maxSize") facts.max = Math.min(facts.max, constraint.size);
    if (constraint.op === "pattern") facts.patterns.push(constraint);
    if (constraint.op === "values" && !constraint.holds) {
      for (const value of constraint.values.values()) facts.excluded.push(value as string);
    }
  }
  return facts;
}

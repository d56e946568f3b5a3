/** Checks whether constraints on one number contradict each other, as in `{minimum: 2, maximum: 1}`. */

import type { Literal } from "../formula/formula.js";
import { commonMultiple, dividesAll, firstMultiple, isExactDivisor, scaled, unscaled } from "./arithmetic.js";

interface Facts {
  lower: { value: number; exclusive: boolean };
  upper: { value: number; exclusive: boolean };
  divisors: number[];
  indivisible: number[];
}

export function numberIsUnsatisfiable(literals: readonly Literal[]): boolean {
  const facts = gather(literals);
  const { lower, upper, divisors, indivisible } = facts;
  if (lower.value > upper.value) return true;
  if (lower.value === upper.value && (lower.exclusive || upper.exclusive)) return true;
  const range = stepsIn(facts);
  if (range && range.first > range.last) return true;
  const step = commonStep(divisors);
  return indivisible.some(
    (divisor) =>
      divisors.some((of) => dividesAll(divisor, of)) ||
      (step !== undefined && isExactDivisor(divisor) && step % scaled(divisor) === 0n),
  );
}

export function multiplesIn(literals: readonly Literal[], limit: number): number[] | undefined {
  const facts = gather(literals);
  if (facts.lower.value === facts.upper.value) return [facts.lower.value];
  const range = stepsIn(facts);
  if (!range || range.last - range.first >= BigInt(limit)) return undefined;
  const found: number[] = [];
  for (let index = range.first; index <= range.last; index++) {
    const value = unscaled(index * range.step);
    if (value !== undefined) found.push(value);
  }
  return found;
}

function gather(literals: readonly Literal[]): Facts {
  const facts: Facts = {
    lower: { value: Number.NEGATIVE_INFINITY, exclusive: false },
    upper: { value: Number.POSITIVE_INFINITY, exclusive: false },
    divisors: [],
    indivisible: [],
  };
  for (const { constraint } of literals) {
    if (constraint.op === "multiple")
      (constraint.holds ? facts.divisors : facts.indivisible).push(constraint.of);
    if (constraint.op !== "lower" && constraint.op !== "upper") continue;
    const { op, value, exclusive } = constraint;
    const known = facts[op];
    const tighter = op === "lower" ? value > known.value : value < known.value;
    if (tighter || (value === known.value && exclusive)) facts[op] = { value, exclusive };
  }
  return facts;
}

const LARGEST_STEP = 1n << 2048n;

/**
 * Returns the least common multiple of the exact divisors, multiplied by 2^20 as in `scaled`. Every valid
 * number is a multiple of it.
 */
function commonStep(divisors: readonly number[]): bigint | undefined {
  const exact = divisors.filter(isExactDivisor).map(scaled);
  if (exact.length === 0) return undefined;
  return exact.reduce((step, divisor) => (step > LARGEST_STEP ? step : commonMultiple(step, divisor)));
}

/** Returns undefined if the multiples cannot be counted exactly. */
function stepsIn({
  lower,
  upper,
  divisors,
}: Facts): { step: bigint; first: bigint; last: bigint } | undefined {
  const step = commonStep(divisors);
  if (step === undefined || !countable(lower.value, divisors) || !countable(upper.value, divisors)) {
    return undefined;
  }
  const first = firstMultiple(lower.value, lower.exclusive, step);
  const last = -firstMultiple(-upper.value, upper.exclusive, step);
  return { step, first, last };
}

/** Returns whether the multiples of `divisors` up to `bound` can be counted without rounding errors. */
function countable(bound: number, divisors: readonly number[]): boolean {
  if (divisors.every((divisor) => divisor === 1)) return Number.isFinite(bound);
  return Math.abs(bound) <= (divisors.every(Number.isInteger) ? 2 ** 52 : 2 ** 32);
}

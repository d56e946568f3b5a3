/** Rules for numbers: bounds and steps. */

import { isMultiple } from "../json-schema/rules/numbers.js";
import type { Fact } from "./terms.js";

/** Integers up to this size are exact, and so are their sums. */
const MAX_EXACT = 2 ** 52;

interface Bound {
  value: number;
  /** Whether the bound itself is excluded. */
  isOpen: boolean;
}

export class NumberFacts {
  private min: Bound = { value: Number.NEGATIVE_INFINITY, isOpen: false };
  private max: Bound = { value: Number.POSITIVE_INFINITY, isOpen: false };
  private readonly divisors: number[] = [];
  private readonly indivisible: number[] = [];
  /** If set, every possible number is `step` times an integer from `first` to `last`. */
  private readonly step: number | undefined;
  private readonly first: number = Number.NEGATIVE_INFINITY;
  private readonly last: number = Number.POSITIVE_INFINITY;

  constructor(facts: readonly Fact[]) {
    for (const { condition, holds } of facts) {
      if (condition.rule !== "keyword") continue;
      const value = condition.value as number;
      const bound = { value, isOpen: condition.name.startsWith("exclusive") === holds };
      if (condition.name === "multipleOf") (holds ? this.divisors : this.indivisible).push(value);
      // A number that violates a minimum lies below it, so the opposite is an exclusive maximum.
      else if (/minimum/i.test(condition.name) === holds) this.min = tighter(this.min, bound, 1);
      else this.max = tighter(this.max, bound, -1);
    }
    const whole = this.divisors.filter((divisor) => Number.isInteger(divisor) && isExact(divisor));
    const step = whole.reduce((a, b) => (a / greatestDivisor(a, b)) * b, 1);
    if (whole.length === 0 || !isExact(step)) return;
    this.step = step;
    const skipped = ({ value, isOpen }: Bound) => (isOpen && value % step === 0 ? 1 : 0);
    if (isExact(this.min.value)) this.first = Math.ceil(this.min.value / step) + skipped(this.min);
    if (isExact(this.max.value)) this.last = Math.floor(this.max.value / step) - skipped(this.max);
  }

  isImpossible(): boolean {
    const { min, max, step } = this;
    if (min.value > max.value || (min.value === max.value && (min.isOpen || max.isOpen))) return true;
    const divisors = step === undefined ? this.divisors : [...this.divisors, step];
    const isAlwaysDivisible = (by: number) => divisors.some((divisor) => dividesAll(by, divisor));
    return this.first > this.last || this.indivisible.some(isAlwaysDivisible);
  }

  /** Returns all possible numbers, or undefined if there are more than `limit`. */
  list(limit: number): number[] | undefined {
    const { step, first, last } = this;
    if (this.min.value === this.max.value) return [this.min.value];
    if (step === undefined || !(last - first < limit)) return undefined;
    return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  }
}

function tighter(known: Bound, bound: Bound, sign: 1 | -1): Bound {
  const difference = (bound.value - known.value) * sign;
  return difference > 0 || (difference === 0 && bound.isOpen) ? bound : known;
}

const isExact = (value: number) => Math.abs(value) <= MAX_EXACT;

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/**
 * Returns true only if every multiple of `of` is a multiple of `divisor`. Some validators divide doubles, so
 * fractions must differ by a power of two.
 */
function dividesAll(divisor: number, of: number): boolean {
  const areWhole = Number.isInteger(divisor) && Number.isInteger(of);
  return isMultiple(of, divisor) && (areWhole || Number.isInteger(Math.log2(of / divisor)));
}

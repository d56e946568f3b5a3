/** Exact arithmetic on doubles for `multipleOf`. */

import { isMultiple as isDecimalMultiple } from "../../json-schema/rules/numbers.js";

/** A double as the fraction `numerator / 2^power`. Every finite double has this form. */
interface Dyadic {
  numerator: bigint;
  power: number;
}

function dyadic(value: number): Dyadic {
  let numerator = value;
  let power = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    power++;
  }
  return { numerator: BigInt(numerator), power };
}

/**
 * A divisor is exact if it has at most this many binary digits after the point: 0.5 and 1.25 are exact, 0.1
 * is not.
 */
const EXACT_POWER = 20;

/**
 * Returns whether all validators agree on a divisor's multiples. They agree on integers and short binary
 * fractions such as 0.5. They disagree on 0.1, because some divide doubles while others compute in decimal.
 */
export function isExactDivisor(divisor: number): boolean {
  return divisor > 0 && Number.isFinite(divisor) && dyadic(divisor).power <= EXACT_POWER;
}

/**
 * Returns true only if every multiple of `of` is a multiple of `divisor`. For example, every multiple of 6 is
 * a multiple of 3.
 */
export function dividesAll(divisor: number, of: number): boolean {
  if (divisor === of) return true;
  if (isExactDivisor(divisor) && isExactDivisor(of)) return isExactMultiple(of, divisor);
  const ratio = of / divisor;
  return Number.isInteger(Math.log2(ratio)) && ratio >= 1 && isDecimalMultiple(of, divisor);
}

/**
 * Returns whether a value is a multiple of a divisor. Returns undefined if validators disagree, because some
 * compute exactly while others divide doubles.
 */
export function isMultiple(value: number, divisor: number): boolean | undefined {
  if (!Number.isFinite(value) || !(divisor > 0) || !Number.isFinite(divisor)) return undefined;
  const verdicts = [isExactMultiple(value, divisor), isDecimalMultiple(value, divisor)];
  const quotient = value / divisor;
  if (Number.isFinite(quotient)) verdicts.push(Number.isInteger(quotient));
  return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0] : undefined;
}

function isExactMultiple(value: number, divisor: number): boolean {
  const a = dyadic(value);
  const b = dyadic(divisor);
  const power = Math.max(a.power, b.power);
  return (a.numerator << BigInt(power - a.power)) % (b.numerator << BigInt(power - b.power)) === 0n;
}

const SCALE = 1n << BigInt(EXACT_POWER);

/** Returns `2^20 * divisor`, a whole number for every exact divisor. For example, 0.5 becomes 2^19. */
export function scaled(divisor: number): bigint {
  const { numerator, power } = dyadic(divisor);
  return numerator << BigInt(EXACT_POWER - power);
}

export function commonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

/**
 * Returns the smallest `n` for which the `n`th multiple of a divisor is at least `bound`, or is greater than
 * `bound` if `exclusive` is true.
 * @param step the divisor multiplied by 2^20, as returned by `scaled`
 */
export function firstMultiple(bound: number, exclusive: boolean, step: bigint): bigint {
  const { numerator, power } = dyadic(bound);
  const dividend = numerator * SCALE;
  const divisor = step << BigInt(power);
  const floor = dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor);
  if (floor * divisor === dividend && !exclusive) return floor;
  return floor + 1n;
}

/** Returns `count / 2^20`, the inverse of `scaled`. Returns undefined if no double has exactly this value. */
export function unscaled(count: bigint): number | undefined {
  const value = Number(count) / Number(SCALE);
  return Number.isFinite(value) && BigInt(Math.trunc(Number(count))) === count ? value : undefined;
}

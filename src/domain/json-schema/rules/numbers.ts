import { assertion, type RuleMaker } from "./site.js";

function bound(keyword: string, sign: string, holds: (value: number, limit: number) => boolean): RuleMaker {
  return (limit: number) =>
    assertion(
      keyword,
      (value) => typeof value !== "number" || holds(value, limit),
      `must be ${sign} ${limit}`,
    );
}

/** Validation, 6.2. */
export const NUMBER_RULES: Record<string, RuleMaker> = {
  minimum: bound("minimum", ">=", (value, limit) => value >= limit),
  maximum: bound("maximum", "<=", (value, limit) => value <= limit),
  exclusiveMinimum: bound("exclusiveMinimum", ">", (value, limit) => value > limit),
  exclusiveMaximum: bound("exclusiveMaximum", "<", (value, limit) => value < limit),
  multipleOf: (divisor: number) =>
    assertion(
      "multipleOf",
      (value) => typeof value !== "number" || isMultiple(value, divisor),
      `must be a multiple of ${divisor}`,
    ),
};

/** Exact on the decimal text of both numbers: 0.0075 is a multiple of 0.0001, though their binary quotient is not whole. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  const [a, aExponent] = decimal(value);
  const [b, bExponent] = decimal(divisor);
  const shift = aExponent - bExponent;
  return shift >= 0 ? (a * 10n ** BigInt(shift)) % b === 0n : a % (b * 10n ** BigInt(-shift)) === 0n;
}

/** A number as digits × 10^exponent. The exponents of doubles reach from -340 to 308, so the powers stay small. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

import { assertion, type RuleFactory } from "./rule-context.js";

function bound(keyword: string, sign: string, holds: (value: number, limit: number) => boolean): RuleFactory {
  return (limit: number) =>
    assertion(
      keyword,
      (value) => typeof value !== "number" || holds(value, limit),
      `must be ${sign} ${limit}`,
    );
}

/** Rules for number keywords (JSON Schema 2020-12 validation, section 6.2). */
export const NUMBER_RULES: Record<string, RuleFactory> = {
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

/**
 * Returns whether `value` is a multiple of `divisor`. Computes exactly in decimal: 0.0075 is a multiple of
 * 0.0001, although dividing the doubles does not give an integer.
 */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  const [a, aExponent] = decimal(value);
  const [b, bExponent] = decimal(divisor);
  const shift = aExponent - bExponent;
  return shift >= 0 ? (a * 10n ** BigInt(shift)) % b === 0n : a % (b * 10n ** BigInt(-shift)) === 0n;
}

/**
 * Returns a number as decimal digits and an exponent of 10. Exponents of doubles lie between -340 and 308, so
 * the powers of 10 stay small.
 */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

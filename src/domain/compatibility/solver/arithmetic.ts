/** Exact arithmetic on doubles for `multipleOf`. */

/** A double as numerator over a power of two. */
interface Dyadic {
  numerator: bigint;
  /** The denominator is two to this power. */
  power: number;
}

/** The exact value of a finite double. */
function dyadic(value: number): Dyadic {
  let numerator = value;
  let power = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    power++;
  }
  return { numerator: BigInt(numerator), power };
}

/** Digits after the binary point up to which a divisor counts as exact: 0.5 and 1.25 do, 0.1 does not. */
const EXACT_POWER = 20;

/**
 * Whether multiples of a divisor are the same set for every validator: true of integers and short binary
 * fractions. Multiples of 0.1 differ between validators that divide doubles and those that count in decimals.
 */
export function isExactDivisor(divisor: number): boolean {
  return divisor > 0 && Number.isFinite(divisor) && dyadic(divisor).power <= EXACT_POWER;
}

/** Whether every multiple of `of` is certainly one of `divisor` too. */
export function dividesAll(divisor: number, of: number): boolean {
  if (divisor === of) return true;
  if (isExactDivisor(divisor) && isExactDivisor(of)) return isExactMultiple(of, divisor);
  const ratio = of / divisor;
  return Number.isInteger(Math.log2(ratio)) && ratio >= 1 && isDecimalMultiple(of, divisor);
}

/** Whether a value is a multiple; undefined where validators that divide doubles and exact ones disagree. */
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

/** As if both numbers were the decimals that they are written as. */
function isDecimalMultiple(value: number, divisor: number): boolean {
  const [a, b] = [decimal(value), decimal(divisor)];
  const power = Math.max(a.power, b.power);
  return (a.digits * 10n ** BigInt(power - a.power)) % (b.digits * 10n ** BigInt(power - b.power)) === 0n;
}

function decimal(value: number): { digits: bigint; power: number } {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const power = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return power >= 0 ? { digits, power } : { digits: digits * 10n ** BigInt(-power), power: 0 };
}

const SCALE = 1n << BigInt(EXACT_POWER);

/** An exact divisor as a count of 2^-20. */
export function scaled(divisor: number): bigint {
  const { numerator, power } = dyadic(divisor);
  return numerator << BigInt(EXACT_POWER - power);
}

export function commonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** The index of the smallest multiple of `step` (a count of 2^-20) that is at least, or more than, `bound`. */
export function firstMultiple(bound: number, exclusive: boolean, step: bigint): bigint {
  const { numerator, power } = dyadic(bound);
  const dividend = numerator * SCALE;
  const divisor = step << BigInt(power);
  const floor = dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor);
  if (floor * divisor === dividend && !exclusive) return floor;
  return floor + 1n;
}

/** The number that a count of 2^-20 stands for; undefined where no double is exactly that. */
export function unscaled(count: bigint): number | undefined {
  const value = Number(count) / Number(SCALE);
  return Number.isFinite(value) && BigInt(Math.trunc(Number(count))) === count ? value : undefined;
}

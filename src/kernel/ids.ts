/** The only module that generates random values, such as ids, API keys and secrets. */
import { randomBytes, randomFillSync, randomInt } from "node:crypto";
import { V7Generator } from "uuidv7";

/** Buffers random numbers for ids, because one system call for many numbers is faster than one for each. */
const randomNumbers = new Uint32Array(1_024);
let used = randomNumbers.length;

const ids = new V7Generator({
  nextUint32() {
    if (used === randomNumbers.length) {
      randomFillSync(randomNumbers);
      used = 0;
    }
    return randomNumbers[used++]!;
  },
});

/** Returns a new UUIDv7 (RFC 9562), the format of all public ids (docs/specification/names.md#ids). */
export function newId(): string {
  return ids.generate().toString();
}

export { randomBytes };

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns 32 random bytes in base62. The result always has 43 characters, because 62^43 > 2^256. */
function randomBase62(): string {
  let number = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let text = "";
  for (let i = 0; i < 43; i++) {
    text = BASE62[Number(number % 62n)] + text;
    number /= 62n;
  }
  return text;
}

export const KEY_PREFIX = "wr_";
/**
 * Number of leading characters of an API key that are safe to show (docs/specification/names.md#api-keys).
 */
export const KEY_DISPLAY_LENGTH = 12;
export const TOKEN_PREFIX = "wt_";
/** The format of a key or token: a prefix and 43 characters (docs/specification/names.md#api-keys). */
export const CREDENTIAL_PATTERN = /^w[rt]_[0-9A-Za-z]{43}$/;

export function newApiKey(): string {
  return KEY_PREFIX + randomBase62();
}

export function newAccessToken(): string {
  return TOKEN_PREFIX + randomBase62();
}

export function newSecret(): string {
  return randomBytes(32).toString("hex");
}

export function newSixDigitCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

export const LONG_CODE_DIGITS = 39;

/** Returns 128 bits as decimal digits, so that a human can type them where a six-digit code is expected. */
export function digitsOf(bits: Buffer): string {
  return BigInt(`0x${bits.toString("hex")}`)
    .toString()
    .padStart(LONG_CODE_DIGITS, "0");
}

export function newLongCode(): string {
  return digitsOf(randomBytes(16));
}

/**
 * Returns a random integer from 0 up to, but not including, `limit`, for example to add jitter to a delay.
 */
export function randomBelow(limit: number): number {
  return limit < 1 ? 0 : randomInt(Math.ceil(limit));
}

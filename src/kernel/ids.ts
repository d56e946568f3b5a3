/** The only place that reads randomness: ids, API keys and secrets. */
import { randomBytes, randomFillSync, randomInt } from "node:crypto";
import { V7Generator } from "uuidv7";

/** Random numbers for ids, read a page at a time: each reading is a call of the system. */
const numbers = new Uint32Array(1_024);
let used = numbers.length;

const ids = new V7Generator({
  nextUint32() {
    if (used === numbers.length) {
      randomFillSync(numbers);
      used = 0;
    }
    return numbers[used++]!;
  },
});

/** A new UUIDv7 (RFC 9562): every id of the service (decisions, section 1). */
export function newId(): string {
  return ids.generate().toString();
}

export { randomBytes };

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 32 random bytes in base62, always 43 characters (62^43 > 2^256). */
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
/** Characters of a key that are safe to display (specification, section 8). */
export const KEY_DISPLAY_LENGTH = 12;
/** What a key looks like: the prefix and 43 base62 characters (decisions, section 1). */
export const KEY_PATTERN = /^wr_[0-9A-Za-z]{43}$/;

/** A new plaintext API key. */
export function newApiKey(): string {
  return KEY_PREFIX + randomBase62();
}

/** A new secret of 32 bytes, as hex. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}

/** A random code of six digits, uniform. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** A random whole number from 0 to below `limit`, such as the length of a pause that is not to be everyone's. */
export function randomBelow(limit: number): number {
  return limit < 1 ? 0 : randomInt(Math.ceil(limit));
}

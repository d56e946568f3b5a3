import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { Semaphore } from "async-mutex";
import { WireroomError } from "../../src/contract/errors.js";
import { randomBytes } from "../../src/kernel/ids.js";

/** Makes and checks password hashes: slow and memory-hard on purpose, off the event loop. */
export interface Passwords {
  /** A hash in the PHC string format; `RATE_LIMITED` where too many are waiting. */
  hash(password: string): Promise<string>;
  /** Whether the password is the one of `hash`. Without a hash it takes as long and answers false. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

/** scrypt with N=2^17, r=8, p=1: OWASP Password Storage Cheat Sheet. One hash takes 128 MiB and some 0.3 s. */
const LOG2_N = 17;
const R = 8;
const P = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Two at once: 256 MiB, and two of the four threads stay free for the store. */
const CONCURRENCY = 2;
/** Hashes that may wait: some 10 s of work. More are refused. */
const MAX_QUEUED = 64;

export function createPasswords(log2N = LOG2_N): Passwords {
  const slots = new Semaphore(CONCURRENCY);
  let pending = 0;
  const derive = async (password: string, salt: Buffer, parameters: Parameters) => {
    if (pending >= CONCURRENCY + MAX_QUEUED)
      throw new WireroomError("RATE_LIMITED", "too many sign-ins at once: try again", { retry_after: 5 });
    pending++;
    try {
      return await slots.runExclusive(() => derived(password, salt, parameters));
    } finally {
      pending--;
    }
  };
  const current: Parameters = { log2N, r: R, p: P };
  const decoy = { ...current, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, current);
      return `$scrypt$ln=${log2N},r=${R},p=${P}$${base64(salt)}$${base64(hash)}`;
    },
    async matches(password, stored) {
      const expected = stored === undefined ? decoy : parse(stored);
      const hash = await derive(password, expected.salt, expected);
      return timingSafeEqual(hash, expected.hash) && stored !== undefined;
    },
  };
}

interface Parameters {
  log2N: number;
  r: number;
  p: number;
}

function derived(password: string, salt: Buffer, { log2N, r, p }: Parameters): Promise<Buffer> {
  // NIST SP 800-63B, 3.1.1.2: Unicode is normalized, so that a password is the same from every keyboard.
  const text = password.normalize("NFKC");
  const N = 2 ** log2N;
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r * 2 };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(stored: string): Parameters & { salt: Buffer; hash: Buffer } {
  const match = PHC.exec(stored);
  if (!match) throw new Error("a stored password hash is malformed");
  const [, log2N, r, p, salt, hash] = match as unknown as [string, string, string, string, string, string];
  return {
    log2N: Number(log2N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}

/** Base64 without padding, as the PHC string format has it. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { randomBytes } from "../../src/kernel/ids.js";
import { networksOf } from "../../src/kernel/networks.js";
import { FairQueue } from "./throttle/fair-queue.js";
import type { Turn } from "./throttle/source-throttle.js";

/**
 * Gives access to the hash function, which is slow by design. Owners of accounts and strangers take turns,
 * and among strangers the networks of their sources.
 */
export interface Passwords {
  /**
   * Runs `work` when it is the turn of the owner or of the source, and returns its result. Each has one turn
   * at a time. Throws RATE_LIMITED if too many requests wait for their turn.
   */
  inTurn<Result>(turn: Turn, work: (hasher: Hasher) => Promise<Result>): Promise<Result>;
}

/** Creates and verifies password hashes. It runs outside the event loop. */
export interface Hasher {
  /**
   * Returns a hash in the PHC string format.
   * @param salt 16 bytes; default: random ones
   */
  hash(password: string, salt?: Buffer): Promise<string>;
  /** Returns whether the password matches `hash`. Takes the same time without a hash. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

/** Parameters of scrypt (N=2^17, r=8, p=1), from the OWASP Password Storage Cheat Sheet. */
const LOG2_N = 17;
const R = 8;
const P = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Maximum number of concurrent hashes. Two take 256 MiB, and leave two of Node's four pool threads to the
 * database. A machine with two cores keeps one of them for the event loop.
 */
const CONCURRENCY = availableParallelism() > 2 ? 2 : 1;
/** Maximum number of requests of one source that wait. They take about 10 s of work. */
const WAITING_PER_SOURCE = 32;
/** Maximum number of requests that wait. */
const WAITING = 256;

export function createPasswords(log2N = LOG2_N): Passwords {
  const queue = new FairQueue({
    concurrency: CONCURRENCY,
    runningPerGroup: CONCURRENCY,
    waitingPerSource: WAITING_PER_SOURCE,
    waiting: WAITING,
  });
  const hasher = createHasher(log2N);
  const pathOf = ({ source, owner }: Turn) =>
    owner === undefined ? ["strangers", ...networksOf(source)] : ["owners", owner];
  return { inTurn: (turn, work) => queue.run(pathOf(turn), () => work(hasher)) };
}

function createHasher(log2N: number): Hasher {
  const current: Parameters = { log2N, r: R, p: P };
  const decoy = { ...current, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };

  return {
    async hash(password, salt = randomBytes(SALT_BYTES)) {
      const hash = await derived(password, salt, current);
      return `$scrypt$ln=${log2N},r=${R},p=${P}$${base64(salt)}$${base64(hash)}`;
    },
    async matches(password, stored) {
      const expected = stored === undefined ? decoy : parse(stored);
      const hash = await derived(password, expected.salt, expected);
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
  // Normalises the Unicode text, because keyboards may encode the same password differently (NIST SP 800-63B,
  // section 3.1.1.2).
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

/** Returns Base64 without padding, as the PHC string format requires. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

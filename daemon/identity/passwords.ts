/** Hashes passwords in Node's thread pool, with limited concurrency. */
import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { randomBytes } from "../../src/kernel/ids.js";
import { networksOf } from "../../src/kernel/networks.js";
import { FairQueue } from "./throttle/fair-queue.js";
import type { Turn } from "./throttle/source-throttle.js";

/** scrypt's parameters (N=2^17, r=8, p=1), from the OWASP Password Storage Cheat Sheet. */
const LOG2_N = 17;
const R = 8;
const P = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Maximum number of concurrent hashes. Two hashes leave two of Node's four pool threads to the database. On a
 * machine with two cores, a single hash leaves one core to the event loop.
 */
const CONCURRENCY = availableParallelism() > 2 ? 2 : 1;
const QUEUE = { concurrency: CONCURRENCY, runningPerGroup: CONCURRENCY, waitingPerSource: 32, waiting: 256 };

/**
 * Queues password hashing, which is slow by design. Account owners and strangers take turns. Strangers share
 * their turns fairly among their networks.
 */
export class Passwords {
  private readonly queue = new FairQueue(QUEUE);
  private readonly hasher: Hasher;

  constructor(log2N = LOG2_N) {
    this.hasher = new Hasher(log2N);
  }

  /** Runs at most one job per owner or source at a time. Throws RATE_LIMITED if too many jobs wait. */
  run<Result>({ source, owner }: Turn, work: (hasher: Hasher) => Promise<Result>): Promise<Result> {
    const path = owner === undefined ? ["strangers", ...networksOf(source)] : ["owners", owner];
    return this.queue.run(path, () => work(this.hasher));
  }
}

class Hasher {
  private readonly decoy: Parameters & { salt: Buffer; hash: Buffer };

  constructor(private readonly log2N: number) {
    this.decoy = { log2N, r: R, p: P, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  }

  async hash(password: string, salt = randomBytes(SALT_BYTES)): Promise<string> {
    const { log2N } = this;
    const hash = await derived(password, salt, { log2N, r: R, p: P });
    return `$scrypt$ln=${log2N},r=${R},p=${P}$${base64(salt)}$${base64(hash)}`;
  }

  /** Takes just as long without a stored hash, so that the time does not reveal whether an account exists. */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const expected = stored === undefined ? this.decoy : parse(stored);
    const hash = await derived(password, expected.salt, expected);
    return timingSafeEqual(hash, expected.hash) && stored !== undefined;
  }
}

interface Parameters {
  log2N: number;
  r: number;
  p: number;
}

function derived(password: string, salt: Buffer, { log2N, r, p }: Parameters): Promise<Buffer> {
  // Normalise the password, because keyboards may encode it differently (NIST SP 800-63B, section 3.1.1.2).
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

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

import { LRUCache } from "lru-cache";
import { WireroomError } from "../../contract/errors.js";
import { monotonicMs } from "../../kernel/clock.js";

/** Thread time that each job may use without counting against its account. Ordinary schemas need far less. */
const UNCOUNTED_MS = 50;
/** Maximum thread time that an account may use at once (docs/specification/limits.md#schema-work). */
const BURST_MS = 60_000;
/**
 * Thread time that an account regains per second. In an hour, it regains enough for dozens of jobs that run
 * until their deadline.
 */
const REGAINED_MS_PER_SECOND = 100;
/** Used thread time above which an account counts as busy. The account regains this time within 5 seconds. */
const BUSY_MS = 500;
/** Maximum number of accounts whose time is tracked. The account that was idle longest is dropped first. */
const MAX_ACCOUNTS = 10_000;

const MAX_OF_ACCOUNT = { jobs: 1_024, characters: 32 * 1024 * 1024 };
const MAX_OF_ALL = { jobs: 8_192, characters: 128 * 1024 * 1024 };
/** Time after which a waiting job fails, because too many long jobs are ahead of it. */
export const MAX_WAIT_MS = 30_000;

interface Unfinished {
  jobs: number;
  characters: number;
}

/**
 * Limits thread work per account and in total. Work counts even if its request is rejected, because a
 * rejected request takes just as much time.
 */
export class WorkLimits {
  readonly #used = new LRUCache<string, { ms: number; atMs: number }>({
    maxSize: MAX_ACCOUNTS,
    sizeCalculation: () => 1,
  });
  readonly #unfinished = new Map<string, Unfinished>();
  readonly #all: Unfinished = { jobs: 0, characters: 0 };

  get unfinishedJobs(): number {
    return this.#all.jobs;
  }

  charge(account: string, ms: number): void {
    if (ms <= UNCOUNTED_MS) return;
    this.#used.set(account, { ms: this.#usedMs(account) + ms - UNCOUNTED_MS, atMs: monotonicMs() });
  }

  isBusy(account: string): boolean {
    return this.#usedMs(account) > BUSY_MS;
  }

  errorOf(account: string): WireroomError | undefined {
    const excess = this.#usedMs(account) - BURST_MS;
    return excess > 0 ? tooMuchWork(Math.ceil(excess / REGAINED_MS_PER_SECOND)) : undefined;
  }

  /**
   * Adds a job. Throws RATE_LIMITED if the job exceeds a limit of its account, or UNAVAILABLE if all accounts
   * together have too many unfinished jobs.
   */
  add(account: string, characters: number): void {
    const error = this.errorOf(account);
    if (error) throw error;
    const own = this.#unfinished.get(account) ?? { jobs: 0, characters: 0 };
    if (isFull(own, characters, MAX_OF_ACCOUNT)) throw tooMuchWork(1);
    if (isFull(this.#all, characters, MAX_OF_ALL)) throw busy();
    this.#unfinished.set(account, own);
    for (const counts of [own, this.#all]) {
      counts.jobs++;
      counts.characters += characters;
    }
  }

  /**
   * Counts a schema document as unfinished work while it waits to be checked. Throws the errors of `add`.
   * @param characters the document's length as JSON
   * @returns a function that ends the reservation; calling the function again has no effect
   */
  reserve(account: string, characters: number): () => void {
    this.add(account, characters);
    let isReserved = true;
    return () => {
      if (isReserved) this.remove(account, characters);
      isReserved = false;
    };
  }

  /** Removes an ended job. */
  remove(account: string, characters: number): void {
    const own = this.#unfinished.get(account)!;
    for (const counts of [own, this.#all]) {
      counts.jobs--;
      counts.characters -= characters;
    }
    if (own.jobs === 0) this.#unfinished.delete(account);
  }

  #usedMs(account: string): number {
    const used = this.#used.get(account);
    if (!used) return 0;
    const regained = ((monotonicMs() - used.atMs) / 1_000) * REGAINED_MS_PER_SECOND;
    return Math.max(used.ms - regained, 0);
  }
}

/** Returns whether a job would exceed a limit. If no job is unfinished, a job of any size may be added. */
function isFull({ jobs, characters }: Unfinished, added: number, max: Unfinished): boolean {
  return jobs > 0 && (jobs >= max.jobs || characters + added > max.characters);
}

function tooMuchWork(retry_after: number): WireroomError {
  return new WireroomError(
    "RATE_LIMITED",
    `the schemas of this account take too much time to check; use simpler schemas, or try again in ${retry_after} s`,
    { retry_after },
  );
}

export function busy(): WireroomError {
  return new WireroomError(
    "UNAVAILABLE",
    "the service has too many schemas and payloads to check; try again",
    {
      retry_after: 5,
    },
  );
}

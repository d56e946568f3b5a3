import { LRUCache } from "lru-cache";
import { type Reason, shuttingDown } from "../../contract/errors.js";
import { monotonicMs } from "../../kernel/clock.js";
import {
  DEADLINES_MS,
  NOT_COMPARABLE,
  TOO_COMPLEX,
  TOO_DEEP,
  TOO_SLOW,
  VALIDATION_DEADLINE_MS,
} from "./deadlines.js";
import { JobQueue, type JobQueueOptions } from "./job-queue.js";
import type { Candidate, Result, Task, Verdict } from "./protocol.js";
import { WorkLimits } from "./work-limits.js";
import type { Job, Stop } from "./worker-thread.js";

/**
 * Time for which a running validation may block queued validations. After this time, the queued ones move to
 * another thread.
 */
const MAX_BLOCKING_MS = 15;
/**
 * Time for which a schema stays in quarantine after its last timeout. Schemas in quarantine use a separate
 * queue.
 */
const QUARANTINE_MS = 600_000;
/**
 * A validation that takes longer than this is slow. Its schema then stays in the slow queue for
 * `SLOW_QUEUE_MS`.
 */
const SLOW_VALIDATION_MS = 50;
const SLOW_QUEUE_MS = 10_000;
/**
 * Time for which a check or comparison of schema documents may block others. After this time, another thread
 * starts.
 */
const MAX_BLOCKING_DOCUMENT_MS = 60;
/**
 * A check or comparison that takes longer than this is long. A short one may take a tenth of it on a busy
 * machine.
 */
const LONG_CHECK_MS = 250;
/** Maximum number of slow schemas. The same maximum applies to schemas in quarantine. */
const MAX_KEYS = 10_000;

/**
 * A pool of worker threads with deadlines. Schemas are untrusted, so no document and no payload may block the
 * event loop or another request. The pool has five queues, each with its own threads, which start with the
 * first call:
 * - fast: validations by default;
 * - slow: validations under schemas that were slow within the last 10 seconds, and of accounts whose
 *   validation is slow now;
 * - quarantine: validations under schemas that have timed out within the last 10 minutes;
 * - documents: checking and comparing schemas;
 * - slow documents: the same, if it takes long, and of accounts that have two such jobs.
 *
 * In each queue, accounts take turns. `WorkLimits` bounds the work of each account.
 */
export class ValidatorPool {
  /**
   * Keys of schemas in quarantine. A schema stays in quarantine for `QUARANTINE_MS` after one of its jobs was
   * stopped.
   */
  readonly #quarantined = new LRUCache<string, true>({ max: MAX_KEYS, ttl: QUARANTINE_MS });
  readonly #slow = new LRUCache<string, true>({ max: MAX_KEYS, ttl: SLOW_QUEUE_MS });
  /**
   * Running jobs that take unusually long, by key of their schema. Other jobs with the same schema wait until
   * the running job ends or is stopped.
   */
  readonly #suspects = new Map<string, Job>();
  /** Number of unfinished jobs of each account that take unusually long. */
  readonly #longJobs = { validate: new Map<string, number>(), check: new Map<string, number>() };
  readonly #limits = new WorkLimits();
  readonly #fastQueue = this.#queue({
    maxBatch: 64,
    maxBlockingMs: MAX_BLOCKING_MS,
    maxThreads: 4,
    keepsSpare: true,
    isDeferred: (job) => this.#isSuspect(job),
    moveLong: (job) => this.#moveLong(job, this.#slowQueue),
  });
  readonly #slowQueue = this.#queue({
    maxBatch: 1,
    maxBlockingMs: MAX_BLOCKING_MS,
    maxThreads: 2,
    maxThreadsPerAccount: 1,
  });
  readonly #quarantineQueue = this.#queue({
    maxBatch: 1,
    maxThreads: 2,
    isLowPriority: true,
    keepsSpare: true,
  });
  readonly #documentQueue = this.#queue({
    maxBatch: 1,
    maxBlockingMs: MAX_BLOCKING_DOCUMENT_MS,
    maxThreads: 2,
    maxShortMs: LONG_CHECK_MS,
    isLowPriority: true,
    moveLong: (job) => this.#moveLong(job, this.#slowDocumentQueue),
  });
  readonly #slowDocumentQueue = this.#queue({
    maxBatch: 1,
    maxBlockingMs: MAX_BLOCKING_DOCUMENT_MS,
    maxThreads: 2,
    maxThreadsPerAccount: 1,
    isLowPriority: true,
  });
  /** Number of jobs that were stopped at a deadline, or that crashed their thread. */
  stoppedJobs = 0;
  #nextId = 1;
  #isClosed = false;

  /** Number of jobs that wait for a thread or run in one. */
  get unfinishedJobs(): number {
    return this.#limits.unfinishedJobs;
  }

  /** See `WorkLimits.reserve`. */
  reserve(account: string, characters: number): () => void {
    return this.#limits.reserve(account, characters);
  }

  /**
   * Returns the reasons why a document is not an accepted schema, or an empty array if it is accepted. A
   * check that exceeds its deadline returns one reason with keyword `timeout`.
   * @param account id of the account that the work counts for
   */
  check(account: string, document: unknown): Promise<Reason[]> {
    const text = toJson(document);
    if (text === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons(account, "check", `"document":${text}`, TOO_COMPLEX);
  }

  /**
   * Returns the reasons why `newer` may reject documents that `older` accepts. The array is empty if `newer`
   * is backward compatible. A comparison that exceeds its deadline returns one reason with keyword `compat`.
   */
  compare(account: string, older: object, newer: object): Promise<Reason[]> {
    const [olderText, newerText] = [toJson(older), toJson(newer)];
    if (olderText === undefined || newerText === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons(account, "compare", `"older":${olderText},"newer":${newerText}`, NOT_COMPARABLE);
  }

  /**
   * Validates a payload like `validateCandidates`. If the deadline passes, the result is a rejection with one
   * reason, which has the keyword `timeout`.
   * @param text the payload as JSON, if the caller already has it
   */
  validate(
    account: string,
    candidates: readonly Candidate[],
    payload: unknown,
    text = JSON.stringify(payload) ?? "null",
  ): Promise<Verdict> {
    const keys = candidates.map(({ key }) => key);
    return new Promise((resolve, reject) => {
      const job = this.#job(account, reject, keys, text.length, {
        task: (id, has) => {
          const sent = candidates.map(({ key, document }) => (has(key) ? { key } : { key, document }));
          return `{"id":${id},"kind":"validate","candidates":${JSON.stringify(sent)},"payload":${text}}`;
        },
        complete: (result) => "verdict" in result && resolve(result.verdict),
        stop: ({ cause, candidate }) => {
          // A job with cause `waiting` never started, because one of its schemas is in quarantine. The
          // verdict reports that schema.
          const slow = cause === "waiting" ? keys.findIndex((key) => this.#quarantined.has(key)) : candidate;
          resolve({ rejected: Math.max(slow, 0), errors: [TOO_SLOW] });
        },
      });
      this.#submit(this.#queueOf(job), job);
    });
  }

  /** Terminates all threads. Calls in progress and all later calls fail with `UNAVAILABLE`. */
  close(): void {
    this.#isClosed = true;
    const forPayloads = [this.#fastQueue, this.#slowQueue, this.#quarantineQueue];
    for (const queue of [...forPayloads, this.#documentQueue, this.#slowDocumentQueue])
      queue.close(shuttingDown());
  }

  #reasons(account: string, kind: Task["kind"], fields: string, late: Reason): Promise<Reason[]> {
    return new Promise((resolve, reject) => {
      const job = this.#job(account, reject, [], fields.length, {
        task: (id) => `{"id":${id},"kind":"${kind}",${fields}}`,
        complete: (result) => "reasons" in result && resolve(result.reasons),
        stop: () => resolve([late]),
      });
      this.#submit(this.#queueOf(job), job);
    });
  }

  /** Throws an error of `WorkLimits.add`. */
  #job(
    account: string,
    reject: (error: Error) => void,
    keys: string[],
    size: number,
    call: {
      task(id: number, has: (key: string) => boolean): string;
      complete(result: Result): void;
      stop(stop: Stop): void;
    },
  ): Job {
    this.#limits.add(account, size);
    const job: Job = {
      id: this.#nextId++,
      account,
      createdAtMs: monotonicMs(),
      keys,
      size,
      task: (has) => call.task(job.id, has),
      isFinished: false,
      hasCrashed: false,
      isLong: false,
      complete: (result) => finish(() => call.complete(result)),
      stop: (stop) => finish(() => call.stop(stop)),
      fail: (error) => finish(() => reject(error)),
    };
    const finish = (callback: () => void) => {
      if (job.isFinished) return;
      job.isFinished = true;
      this.#limits.remove(account, size);
      this.#forget(job);
      callback();
    };
    return job;
  }

  #submit(queue: JobQueue, job: Job): void {
    if (this.#isClosed) job.fail(shuttingDown());
    else queue.submit(job);
  }

  #queueOf(job: Job): JobQueue {
    if (job.keys.length === 0) return this.#isLong(job, 1) ? this.#slowDocumentQueue : this.#documentQueue;
    if (this.#isQuarantined(job)) return this.#quarantineQueue;
    const isSlow = job.keys.some((key) => this.#slow.has(key)) || this.#isLong(job, 0);
    return isSlow ? this.#slowQueue : this.#fastQueue;
  }

  #longJobsLike(job: Job): Map<string, number> {
    return job.keys.length === 0 ? this.#longJobs.check : this.#longJobs.validate;
  }

  /**
   * Returns whether a job belongs in a queue of long jobs, because it takes long, or because jobs of its
   * account do.
   */
  #isLong(job: Job, maxLongJobs: number): boolean {
    return job.isLong || (this.#longJobsLike(job).get(job.account) ?? 0) > maxLongJobs;
  }

  #markLong(job: Job): void {
    if (job.isLong || job.isFinished) return;
    job.isLong = true;
    const counts = this.#longJobsLike(job);
    counts.set(job.account, (counts.get(job.account) ?? 0) + 1);
  }

  /** Moves a running job to a queue of long jobs, where it starts again. */
  #moveLong(job: Job, to: JobQueue): boolean {
    this.#markLong(job);
    job.thread = undefined;
    to.submit(job);
    return true;
  }

  /** Removes a finished job from the records of running jobs. */
  #forget(job: Job): void {
    for (const key of job.keys) if (this.#suspects.get(key) === job) this.#suspects.delete(key);
    if (!job.isLong) return;
    const counts = this.#longJobsLike(job);
    const others = counts.get(job.account)! - 1;
    if (others > 0) counts.set(job.account, others);
    else counts.delete(job.account);
  }

  #isQuarantined(job: Job): boolean {
    return job.keys.some((key) => this.#quarantined.has(key));
  }

  #isSuspect(job: Job): boolean {
    if (this.#suspects.size === 0) return false;
    return job.keys.some((key) => {
      const suspect = this.#suspects.get(key);
      return suspect !== undefined && suspect !== job;
    });
  }

  #queue(options: Partial<JobQueueOptions> & Pick<JobQueueOptions, "maxBatch" | "maxThreads">): JobQueue {
    return new JobQueue({
      maxBlockingMs: Number.POSITIVE_INFINITY,
      maxThreadsPerAccount: Number.POSITIVE_INFINITY,
      maxShortMs: SLOW_VALIDATION_MS,
      keepsSpare: false,
      isLowPriority: false,
      deadlinesMs: DEADLINES_MS,
      isDeferred: () => false,
      isOverdue: (job) =>
        this.#isQuarantined(job) && monotonicMs() - job.createdAtMs > VALIDATION_DEADLINE_MS,
      onSlow: ({ job, candidate, phase, elapsedMs }) => {
        const key = job.keys[candidate];
        if (job.isFinished) return;
        if (key !== undefined) this.#suspects.set(key, job);
        if (key !== undefined || elapsedMs > LONG_CHECK_MS) this.#markLong(job);
        if (key !== undefined && phase === "validating" && elapsedMs > SLOW_VALIDATION_MS)
          this.#slow.set(key, true);
      },
      onStopped: (job, candidate) => {
        this.stoppedJobs++;
        const key = job.keys[candidate];
        if (key === undefined) return;
        this.#quarantined.set(key, true);
        this.#quarantineQueue.warmUp();
      },
      reroute: (job, from) => {
        const to = this.#queueOf(job);
        if (to === from || to === this.#fastQueue || to === this.#documentQueue) return false;
        to.submit(job);
        return true;
      },
      moveLong: () => false,
      onUsed: ({ account }, ms) => this.#limits.charge(account, ms),
      errorOf: ({ account }) => this.#limits.errorOf(account),
      ...options,
    });
  }
}

/** Returns the value as JSON text, or undefined if it is nested too deeply for `JSON.stringify`. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return undefined;
  }
}

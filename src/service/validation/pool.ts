import { LRUCache } from "lru-cache";
import { type Reason, WireroomError } from "../../contract/errors.js";
import { monotonicMs } from "../../kernel/clock.js";
import { JobQueue, type JobQueueOptions } from "./job-queue.js";
import type { Candidate, Result, Task, Verdict } from "./protocol.js";
import type { Job, Stop } from "./worker-thread.js";

/** Validation of one payload, under all of its candidates. For a quarantined schema it includes the time in the queue. */
export const VALIDATION_DEADLINE = 250;
/** Compiling, checking or comparing documents, in milliseconds too. */
export const COMPILE_DEADLINE = 5_000;
/** How long validations wait behind another before they move to another thread. */
const MAX_BLOCKING_MS = 15;
/** How long a schema stays in quarantine after its last timeout. */
const QUARANTINE_MS = 600_000;
/** A validation that takes longer is slow, and its schema goes to the slow queue for a while. */
const SLOW_VALIDATION_MS = 50;
const SLOW_QUEUE_MS = 10_000;
/** Schemas that are remembered as slow, and as in quarantine. */
const MAX_KEYS = 10_000;

const DEADLINES_MS = {
  validating: VALIDATION_DEADLINE,
  compiling: COMPILE_DEADLINE,
  checking: COMPILE_DEADLINE,
};

/**
 * A pool of worker threads with deadlines for whatever other people's schemas can make slow, so that no document and no payload can
 * block the event loop or another request. It schedules jobs to four queues with threads of their own: validations to the fast
 * one; those under schemas that were slow a moment ago to the slow one; those under schemas that have timed out to the
 * quarantine, so that they wait for their like alone; and documents to check. Threads start with the first call.
 */
export class ValidatorPool {
  /** Schemas in quarantine: a job under them was stopped. */
  readonly #quarantined = new LRUCache<string, true>({ max: MAX_KEYS, ttl: QUARANTINE_MS });
  readonly #slow = new LRUCache<string, true>({ max: MAX_KEYS, ttl: SLOW_QUEUE_MS });
  /** The running job of each schema that takes unusually long. Later jobs are held until it is known whether that is the schema's fault. */
  readonly #suspects = new Map<string, Job>();
  readonly #fastQueue = this.#queue({
    maxBatch: 64,
    maxBlockingMs: MAX_BLOCKING_MS,
    maxThreads: 4,
    keepsSpare: true,
    isHeld: (job) => this.#isSuspect(job),
  });
  readonly #slowQueue = this.#queue({ maxBatch: 1, maxBlockingMs: MAX_BLOCKING_MS, maxThreads: 2 });
  readonly #quarantineQueue = this.#queue({
    maxBatch: 1,
    maxThreads: 2,
    isLowPriority: true,
    keepsSpare: true,
  });
  readonly #documentQueue = this.#queue({
    maxBatch: 1,
    maxBlockingMs: 4 * MAX_BLOCKING_MS,
    maxThreads: 3,
    isLowPriority: true,
  });
  #nextId = 1;
  #isClosed = false;

  /** The reasons why a document is not a schema; none if it is one. Past the deadline: one, with keyword `timeout`. */
  check(document: unknown): Promise<Reason[]> {
    const text = toJson(document);
    if (text === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons("check", `"document":${text}`, TOO_COMPLEX);
  }

  /** The reasons why `newer` may refuse what `older` accepts; none if it never does. Past the deadline: one, with keyword `compat`. */
  compare(older: object, newer: object): Promise<Reason[]> {
    const [olderText, newerText] = [toJson(older), toJson(newer)];
    if (olderText === undefined || newerText === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons("compare", `"older":${olderText},"newer":${newerText}`, NOT_COMPARABLE);
  }

  /**
   * Validates a payload under the candidates in turn: the first that accepts it wins; if none does, the one with the fewest
   * errors is rejected. Past the deadline: the one that took too long, with one error with keyword `timeout`.
   * @param text the payload as JSON, if it is at hand
   */
  validate(
    candidates: readonly Candidate[],
    payload: unknown,
    text = JSON.stringify(payload) ?? "null",
  ): Promise<Verdict> {
    const keys = candidates.map(({ key }) => key);
    return new Promise((resolve, reject) => {
      const job = this.#job(reject, keys, text.length, {
        task: (id, has) => {
          const sent = candidates.map(({ key, document }) => (has(key) ? { key } : { key, document }));
          return `{"id":${id},"kind":"validate","candidates":${JSON.stringify(sent)},"payload":${text}}`;
        },
        complete: (result) => "verdict" in result && resolve(result.verdict),
        stop: ({ cause, candidate }) => {
          // A job that never began is refused because of the schema that is in quarantine.
          const slow = cause === "waiting" ? keys.findIndex((key) => this.#quarantined.has(key)) : candidate;
          resolve({ rejected: Math.max(slow, 0), errors: [TOO_SLOW] });
        },
      });
      this.#submit(this.#queueOf(job), job);
    });
  }

  /** Terminates all threads. Calls in progress, and all later ones, fail with `UNAVAILABLE`. */
  close(): void {
    this.#isClosed = true;
    for (const queue of [this.#fastQueue, this.#slowQueue, this.#quarantineQueue, this.#documentQueue])
      queue.close(closed());
  }

  #reasons(kind: Task["kind"], fields: string, late: Reason): Promise<Reason[]> {
    return new Promise((resolve, reject) => {
      const job = this.#job(reject, [], fields.length, {
        task: (id) => `{"id":${id},"kind":"${kind}",${fields}}`,
        complete: (result) => "reasons" in result && resolve(result.reasons),
        stop: () => resolve([late]),
      });
      this.#submit(this.#documentQueue, job);
    });
  }

  #job(
    reject: (error: Error) => void,
    keys: string[],
    size: number,
    call: {
      task(id: number, has: (key: string) => boolean): string;
      complete(result: Result): void;
      stop(stop: Stop): void;
    },
  ): Job {
    const job: Job = {
      id: this.#nextId++,
      createdAtMs: monotonicMs(),
      keys,
      size,
      task: (has) => call.task(job.id, has),
      isSettled: false,
      complete: (result) => settle(() => call.complete(result)),
      stop: (stop) => settle(() => call.stop(stop)),
      fail: (error) => settle(() => reject(error)),
    };
    const settle = (how: () => void) => {
      if (job.isSettled) return;
      job.isSettled = true;
      how();
    };
    return job;
  }

  #submit(queue: JobQueue, job: Job): void {
    if (this.#isClosed) job.fail(closed());
    else queue.submit(job);
  }

  #queueOf(job: Job): JobQueue {
    if (this.#isQuarantined(job)) return this.#quarantineQueue;
    return job.keys.some((key) => this.#slow.has(key)) ? this.#slowQueue : this.#fastQueue;
  }

  #isQuarantined(job: Job): boolean {
    return job.keys.some((key) => this.#quarantined.has(key));
  }

  #isSuspect(job: Job): boolean {
    if (this.#suspects.size === 0) return false;
    return job.keys.some((key) => {
      const suspect = this.#suspects.get(key);
      if (suspect?.isSettled) this.#suspects.delete(key);
      return suspect !== undefined && suspect !== job && !suspect.isSettled;
    });
  }

  #queue(options: Partial<JobQueueOptions> & Pick<JobQueueOptions, "maxBatch" | "maxThreads">): JobQueue {
    return new JobQueue({
      maxBlockingMs: Number.POSITIVE_INFINITY,
      keepsSpare: false,
      isLowPriority: false,
      deadlinesMs: DEADLINES_MS,
      isHeld: () => false,
      isOverdue: (job) => this.#isQuarantined(job) && monotonicMs() - job.createdAtMs > VALIDATION_DEADLINE,
      onSlow: ({ job, candidate, phase, elapsedMs }) => {
        const key = job.keys[candidate];
        if (key === undefined) return;
        this.#suspects.set(key, job);
        if (phase === "validating" && elapsedMs > SLOW_VALIDATION_MS) this.#slow.set(key, true);
      },
      onStopped: (job, candidate) => {
        const key = job.keys[candidate];
        if (key === undefined) return;
        this.#quarantined.set(key, true);
        this.#quarantineQueue.warmUp();
      },
      reroute: (job, from) => {
        const to = this.#queueOf(job);
        if (to === from || to === this.#fastQueue) return false;
        to.submit(job);
        return true;
      },
      ...options,
    });
  }
}

/** JSON text; undefined if the value nests too deeply even for that. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return undefined;
  }
}

const closed = () => new WireroomError("UNAVAILABLE", "The daemon is shutting down: try again.");

const TOO_DEEP: Reason = { instancePath: "", keyword: "depth", message: "a schema may not nest so deeply" };
const TOO_COMPLEX: Reason = {
  instancePath: "",
  keyword: "timeout",
  message: `too complex to compile: it takes longer than ${COMPILE_DEADLINE} ms`,
};
const NOT_COMPARABLE: Reason = {
  instancePath: "",
  keyword: "compat",
  message: `too complex to compare: compatibility cannot be shown within ${COMPILE_DEADLINE} ms`,
};
const TOO_SLOW: Reason = {
  instancePath: "",
  keyword: "timeout",
  message: `validation takes longer than ${VALIDATION_DEADLINE} ms: simplify the schema or send a smaller payload`,
};

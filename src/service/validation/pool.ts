import { type Reason, WireroomError } from "../../contract/errors.js";
import type { Job, Stop } from "./job.js";
import { Lane, type LaneOptions } from "./lane.js";
import { type Answer, monotonicMs, type Task, type Verdict } from "./protocol.js";
import { RecentKeys } from "./recent-keys.js";

export type { Verdict } from "./protocol.js";

/** A schema to validate under. The key is unique to the document and never gets another one. */
export interface Candidate {
  key: string;
  document: object;
}

/** Milliseconds of validation for one payload, under all of its candidates (decisions, section 7). */
export const VALIDATION_DEADLINE = 250;
/** Milliseconds for compiling, checking or comparing documents. */
export const COMPILE_DEADLINE = 5_000;
/** Milliseconds that validations wait behind another before they go around it. */
const PATIENCE = 15;
/** Milliseconds from which on a schema is slow for good. */
const SLOW = 100;
/** Keys that are remembered as slow. */
const MAX_SLOW_KEYS = 10_000;

const DEADLINES = {
  validating: VALIDATION_DEADLINE,
  compiling: COMPILE_DEADLINE,
  checking: COMPILE_DEADLINE,
};

/**
 * Runs in worker threads whatever schemas of others can make slow, with deadlines, so that no document and no payload
 * can hold up the event loop or another's request. Three lanes: one for validations; one for those under schemas that have
 * been slow, where they wait for each other alone; one for checking documents. Threads start with the first call.
 */
export class ValidatorPool {
  /** Schemas that had their thread ended, or nearly. */
  readonly #slow = new RecentKeys(MAX_SLOW_KEYS);
  /** Schemas that made others wait once, which may have been chance: a quick answer clears them. */
  readonly #suspect = new RecentKeys(MAX_SLOW_KEYS);
  readonly #fast = this.#lane({ batch: 64, patience: PATIENCE, maxThreads: 4, keepsSpare: true });
  readonly #quarantine = this.#lane({
    batch: 1,
    maxWait: VALIDATION_DEADLINE,
    maxThreads: 2,
    keepsSpare: true,
  });
  readonly #checks = this.#lane({ batch: 1, patience: 4 * PATIENCE, maxThreads: 3 });
  #nextId = 1;
  #isClosed = false;

  /** The reasons why a document cannot be a schema; none where it can. Past the deadline: one, of keyword `timeout`. */
  check(document: unknown): Promise<Reason[]> {
    const text = toJson(document);
    if (text === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons({ kind: "check", document: text }, TOO_COMPLEX);
  }

  /** What makes `newer` refuse what `older` accepts; none where nothing does. Past the deadline: one, of keyword `compat`. */
  compare(older: object, newer: object): Promise<Reason[]> {
    const [olderText, newerText] = [toJson(older), toJson(newer)];
    if (olderText === undefined || newerText === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons({ kind: "compare", older: olderText, newer: newerText }, NOT_COMPARABLE);
  }

  /**
   * Validates a payload under the candidates in turn: the first that accepts it wins; where none does, the one with the
   * fewest errors says why. Past the deadline: the one that took too long, with one error of keyword `timeout`.
   */
  validate(candidates: readonly Candidate[], payload: unknown): Promise<Verdict> {
    const keys = candidates.map(({ key }) => key);
    const text = JSON.stringify(payload) ?? "null";
    return new Promise((resolve, reject) => {
      const job = this.#job(reject, keys, {
        task: (has) => ({
          kind: "validate",
          payload: text,
          candidates: candidates.map(({ key, document }) =>
            has(key) ? { key } : { key, document: JSON.stringify(document) },
          ),
        }),
        answer: (answer) => "verdict" in answer && resolve(answer.verdict),
        stop: ({ candidate }) => resolve({ rejected: candidate, errors: [TOO_SLOW] }),
      });
      this.#submit(this.#isSlow(job) ? this.#quarantine : this.#fast, job);
    });
  }

  /** Ends all threads. Calls under way, and any after, fail with `UNAVAILABLE`. */
  close(): void {
    this.#isClosed = true;
    for (const lane of [this.#fast, this.#quarantine, this.#checks]) lane.close(closed());
  }

  #reasons(task: Task, late: Reason): Promise<Reason[]> {
    return new Promise((resolve, reject) => {
      const job = this.#job(reject, [], {
        task: () => task,
        answer: (answer) => "reasons" in answer && resolve(answer.reasons),
        stop: () => resolve([late]),
      });
      this.#submit(this.#checks, job);
    });
  }

  #job(
    reject: (error: Error) => void,
    keys: string[],
    call: { task: Job["task"]; answer(answer: Answer): void; stop(stop: Stop): void },
  ): Job {
    const job: Job = {
      id: this.#nextId++,
      since: monotonicMs(),
      keys,
      task: call.task,
      settled: false,
      answer: (answer) => settle(() => call.answer(answer)),
      stop: (stop) => settle(() => call.stop(stop)),
      fail: (error) => settle(() => reject(error)),
    };
    const settle = (how: () => void) => {
      if (job.settled) return;
      job.settled = true;
      how();
    };
    return job;
  }

  #submit(lane: Lane, job: Job): void {
    if (this.#isClosed) job.fail(closed());
    else lane.submit(job);
  }

  #isSlow(job: Job): boolean {
    return job.keys.some((key) => this.#slow.has(key) || this.#suspect.has(key));
  }

  #mark(keys: RecentKeys, job: Job, candidate: number): void {
    const key = job.keys[candidate];
    if (key !== undefined) keys.add(key);
  }

  #clear(job: Job, after: number): void {
    if (this.#suspect.size > 0 && after < PATIENCE) for (const key of job.keys) this.#suspect.delete(key);
  }

  #lane(options: Partial<LaneOptions> & Pick<LaneOptions, "batch" | "maxThreads">): Lane {
    return new Lane({
      patience: Number.POSITIVE_INFINITY,
      keepsSpare: false,
      maxWait: Number.POSITIVE_INFINITY,
      deadlines: DEADLINES,
      onSlow: ({ job, candidate, spent }) =>
        this.#mark(spent > SLOW ? this.#slow : this.#suspect, job, candidate),
      onAnswered: (job, after) => this.#clear(job, after),
      onStopped: (job, candidate) => this.#mark(this.#slow, job, candidate),
      reroute: (job) => {
        if (!this.#isSlow(job)) return false;
        this.#quarantine.submit(job);
        return true;
      },
      ...options,
    });
  }
}

/** JSON text; undefined where a value nests too deeply even for that. */
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

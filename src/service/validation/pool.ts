import { type Reason, WireroomError } from "../../contract/errors.js";
import { monotonicMs } from "../../kernel/clock.js";
import type { Job, Stop } from "./job.js";
import { Lane, type LaneOptions } from "./lane.js";
import type { Answer, Candidate, Order, Verdict } from "./protocol.js";
import { RecentKeys } from "./recent-keys.js";

/**
 * Milliseconds of validation for one payload, under all of its candidates (decisions, section 7). Under a schema that has
 * timed out before, its wait for others of the kind counts too.
 */
export const VALIDATION_DEADLINE = 250;
/** Milliseconds for compiling, checking or comparing documents. */
export const COMPILE_DEADLINE = 5_000;
/** Milliseconds that validations wait behind another before they go around it. */
const PATIENCE = 15;
/** Milliseconds that a schema stays in quarantine after its last timeout. */
const QUARANTINE = 600_000;
/** Milliseconds from which on a validation is slow, and for which its schema then stays out of the fast lane. */
const SLOW = 50;
const SLOW_LANE = 10_000;

const DEADLINES = {
  validating: VALIDATION_DEADLINE,
  compiling: COMPILE_DEADLINE,
  checking: COMPILE_DEADLINE,
};

/**
 * Runs in worker threads whatever schemas of others can make slow, with deadlines, so that no document and no payload
 * can hold up the event loop or another's request. Validations take the fast lane; those under schemas that are slow now,
 * or were a moment ago, the slow lane; those under schemas that have timed out, the quarantine: so they wait for their like
 * alone. Documents are checked in a lane of their own. Threads start with the first call.
 */
export class ValidatorPool {
  /** Schemas that had a thread ended. */
  readonly #timedOut = new RecentKeys(QUARANTINE);
  readonly #slow = new RecentKeys(SLOW_LANE);
  /**
   * Schemas with a job under way that takes longer than usual, by key: those that come after it wait to see whether that was chance.
   */
  readonly #suspect = new Map<string, Job>();
  readonly #fast = this.#lane({
    batch: 64,
    patience: PATIENCE,
    maxThreads: 4,
    keepsSpare: true,
    isHeld: (job) => this.#isSuspect(job),
  });
  readonly #slowLane = this.#lane({ batch: 1, patience: PATIENCE, maxThreads: 2 });
  readonly #quarantine = this.#lane({
    batch: 1,
    maxThreads: 2,
    yields: true,
    keepsSpare: true,
  });
  readonly #checks = this.#lane({ batch: 1, patience: 4 * PATIENCE, maxThreads: 3, yields: true });
  #nextId = 1;
  #isClosed = false;

  /** The reasons why a document cannot be a schema; none where it can. Past the deadline: one, of keyword `timeout`. */
  check(document: unknown): Promise<Reason[]> {
    const text = toJson(document);
    if (text === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons("check", `"document":${text}`, TOO_COMPLEX);
  }

  /** What makes `newer` refuse what `older` accepts; none where nothing does. Past the deadline: one, of keyword `compat`. */
  compare(older: object, newer: object): Promise<Reason[]> {
    const [olderText, newerText] = [toJson(older), toJson(newer)];
    if (olderText === undefined || newerText === undefined) return Promise.resolve([TOO_DEEP]);
    return this.#reasons("compare", `"older":${olderText},"newer":${newerText}`, NOT_COMPARABLE);
  }

  /**
   * Validates a payload under the candidates in turn: the first that accepts it wins; where none does, the one with the
   * fewest errors says why. Past the deadline: the one that took too long, with one error of keyword `timeout`.
   * @param text the payload as JSON, where it is at hand
   */
  validate(
    candidates: readonly Candidate[],
    payload: unknown,
    text = JSON.stringify(payload) ?? "null",
  ): Promise<Verdict> {
    const keys = candidates.map(({ key }) => key);
    return new Promise((resolve, reject) => {
      const job = this.#job(reject, keys, text.length, {
        order: (id, has) => {
          const sent = candidates.map(({ key, document }) => (has(key) ? { key } : { key, document }));
          return `{"id":${id},"kind":"validate","candidates":${JSON.stringify(sent)},"payload":${text}}`;
        },
        answer: (answer) => "verdict" in answer && resolve(answer.verdict),
        stop: ({ cause, candidate }) => {
          // What was not even begun is refused for the one that others of its kind wait for.
          const slow = cause === "waiting" ? keys.findIndex((key) => this.#timedOut.has(key)) : candidate;
          resolve({ rejected: Math.max(slow, 0), errors: [TOO_SLOW] });
        },
      });
      this.#submit(this.#laneOf(job), job);
    });
  }

  /** Ends all threads. Calls under way, and any after, fail with `UNAVAILABLE`. */
  close(): void {
    this.#isClosed = true;
    for (const lane of [this.#fast, this.#slowLane, this.#quarantine, this.#checks]) lane.close(closed());
  }

  #reasons(kind: Order["kind"], fields: string, late: Reason): Promise<Reason[]> {
    return new Promise((resolve, reject) => {
      const job = this.#job(reject, [], fields.length, {
        order: (id) => `{"id":${id},"kind":"${kind}",${fields}}`,
        answer: (answer) => "reasons" in answer && resolve(answer.reasons),
        stop: () => resolve([late]),
      });
      this.#submit(this.#checks, job);
    });
  }

  #job(
    reject: (error: Error) => void,
    keys: string[],
    size: number,
    call: {
      order(id: number, has: (key: string) => boolean): string;
      answer(answer: Answer): void;
      stop(stop: Stop): void;
    },
  ): Job {
    const job: Job = {
      id: this.#nextId++,
      since: monotonicMs(),
      keys,
      size,
      order: (has) => call.order(job.id, has),
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

  #laneOf(job: Job): Lane {
    if (this.#hasTimedOut(job)) return this.#quarantine;
    return job.keys.some((key) => this.#slow.has(key)) ? this.#slowLane : this.#fast;
  }

  #hasTimedOut(job: Job): boolean {
    return job.keys.some((key) => this.#timedOut.has(key));
  }

  #isSuspect(job: Job): boolean {
    if (this.#suspect.size === 0) return false;
    return job.keys.some((key) => {
      const suspect = this.#suspect.get(key);
      if (suspect?.settled) this.#suspect.delete(key);
      return suspect !== undefined && suspect !== job && !suspect.settled;
    });
  }

  #lane(options: Partial<LaneOptions> & Pick<LaneOptions, "batch" | "maxThreads">): Lane {
    return new Lane({
      patience: Number.POSITIVE_INFINITY,
      keepsSpare: false,
      yields: false,
      deadlines: DEADLINES,
      isHeld: () => false,
      isLate: (job) => this.#hasTimedOut(job) && monotonicMs() - job.since > VALIDATION_DEADLINE,
      onSlow: ({ job, candidate, phase, spent }) => {
        const key = job.keys[candidate];
        if (key === undefined) return;
        this.#suspect.set(key, job);
        if (phase === "validating" && spent > SLOW) this.#slow.add(key);
      },
      onStopped: (job, candidate) => {
        const key = job.keys[candidate];
        if (key === undefined) return;
        this.#timedOut.add(key);
        this.#quarantine.prepare();
      },
      reroute: (job, from) => {
        const to = this.#laneOf(job);
        if (to === from || to === this.#fast) return false;
        to.submit(job);
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

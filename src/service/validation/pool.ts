/**
 * Runs untrusted JSON Schemas in worker threads, so that no schema and no payload blocks the event loop, or
 * the work of another account.
 *
 * A job waits in one queue, in which accounts take turns, and then has a thread of its lane to itself:
 * - `payloads`: validates payloads.
 * - `documents`: checks and compares schema documents, at a lower OS priority. It also validates the payloads
 *   that will probably take long: under slow schemas, which have missed a deadline within 10 minutes,
 *   and of busy accounts, whose jobs took long within the last seconds.
 *
 * The states of a job:
 * - waiting → running: a thread is free. An account runs one job in a lane. Of the payloads and documents
 *   that will probably take long, one runs at a time, so that a thread is left for others.
 * - waiting → ended: its account has used up its time, or the job has waited for 30 s. A payload under a slow
 *   schema ends at its deadline, to which its waiting counts.
 * - running → ended: the thread returns a result, which may be that a validation has missed its deadline. A
 *   thread that returns none in time is terminated.
 * - running → waiting: the thread crashed, for example because earlier jobs had filled its memory. A job that
 *   crashes a thread again counts as late.
 *
 * `WorkLimits` counts a job from its creation until it ends.
 */
import { LRUCache } from "lru-cache";
import { Tinypool } from "tinypool";
import { type Reason, shuttingDown } from "../../contract/errors.js";
import { monotonicMs } from "../../kernel/clock.js";
import { FairQueue } from "../../kernel/fair-queue.js";
import { packageFile } from "../../kernel/package-file.js";
import { NOT_COMPARABLE, TOO_COMPLEX, TOO_DEEP, TOO_SLOW, VALIDATION_DEADLINE_MS } from "./deadlines.js";
import {
  type Candidate,
  type Finding,
  PROGRESS,
  type Result,
  type Task,
  type TaskMessage,
  type Verdict,
} from "./protocol.js";
import { busy, MAX_WAIT_MS, WorkLimits } from "./work-limits.js";

/** The built program of the threads. A thread needs JavaScript, also if tests run the TypeScript sources. */
export const WORKER_FILE = packageFile("dist/src/service/validation/worker.js");
/**
 * Memory limits of a thread. A thread that exceeds them ends, but the process continues. The stack is large
 * enough for a payload of 64 nested levels, each validated through a chain of 100 schema references.
 */
export const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 };
/** A thread starts when a job needs it, and ends after this time without one. */
const IDLE_TIMEOUT_MS = 600_000;
const THREADS_PER_LANE = 2;

const SLOW_SCHEMA_MS = 600_000;
const MAX_SLOW_SCHEMAS = 10_000;
/** Interval at which deadlines are checked while there are jobs. */
const CHECK_INTERVAL_MS = 10;

interface Job {
  readonly account: string;
  /** Keys of the candidate schemas. Empty for schema documents. */
  readonly keys: readonly string[];
  /** Time of the call, from `monotonicMs`. */
  readonly createdAtMs: number;
  /** @param deadlineMs time that is left for a validation */
  toTask(deadlineMs: number): Task;
  hasCrashed: boolean;
  /** Settles the promise of the caller. */
  end(finding: Finding | Error): void;
}

interface Running {
  readonly job: Job;
  readonly progress: Float64Array;
  readonly abort: AbortController;
}

/** Threads with the same priority. */
interface Lane {
  readonly threads: Tinypool;
  readonly running: Set<Running>;
}

/** @param runner name of the function in `worker.ts` that runs the jobs */
function createLane(runner: "run" | "runAtLowPriority"): Lane {
  const threads = new Tinypool({
    filename: WORKER_FILE,
    name: runner,
    minThreads: 0,
    maxThreads: THREADS_PER_LANE,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: RESOURCE_LIMITS,
  });
  // A thread could not start. Its job waits for another one.
  threads.on("error", () => undefined);
  return { threads, running: new Set() };
}

export class ValidatorPool {
  /** Number of jobs that reached a deadline, or that crashed their thread twice. */
  stoppedJobs = 0;
  readonly #waiting = new FairQueue<Job>(({ account }) => account);
  readonly #payloads = createLane("run");
  readonly #documents = createLane("runAtLowPriority");
  readonly #limits = new WorkLimits();
  readonly #slowSchemas = new LRUCache<string, true>({ max: MAX_SLOW_SCHEMAS, ttl: SLOW_SCHEMA_MS });
  /** The JSON of schema documents. */
  readonly #texts = new WeakMap<object, string>();
  #timer: NodeJS.Timeout | undefined;
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
   * check that reaches its deadline returns one reason with keyword `timeout`.
   * @param account id of the account that the work counts for
   */
  async check(account: string, document: unknown): Promise<Reason[]> {
    const text = toJson(document);
    if (text === undefined) return [TOO_DEEP];
    return this.#reasons(account, { kind: "check", document: text }, text.length, TOO_COMPLEX);
  }

  /**
   * Returns the reasons why `newer` may reject documents that `older` accepts. The array is empty if `newer`
   * is backward compatible. A comparison that reaches its deadline returns one reason with keyword `compat`.
   */
  async compare(account: string, older: object, newer: object): Promise<Reason[]> {
    const [olderText, newerText] = [toJson(older), toJson(newer)];
    if (olderText === undefined || newerText === undefined) return [TOO_DEEP];
    const task: Task = { kind: "compare", older: olderText, newer: newerText };
    return this.#reasons(account, task, olderText.length + newerText.length, NOT_COMPARABLE);
  }

  /**
   * Validates a payload like `validateCandidates`. If the deadline passes, the result is a rejection with one
   * reason, which has the keyword `timeout`.
   * @param text the payload as JSON, if the caller already has it
   */
  async validate(
    account: string,
    candidates: readonly Candidate[],
    payload: unknown,
    text = JSON.stringify(payload) ?? "null",
  ): Promise<Verdict> {
    const keys = candidates.map(({ key }) => key);
    const documents = candidates.map(({ key, document }) => ({ key, document: this.#textOf(document) }));
    const finding = await this.#submit(account, keys, text.length, (deadlineMs) => ({
      kind: "validate",
      candidates: documents,
      payload: text,
      deadlineMs,
    }));
    if ("verdict" in finding) return finding.verdict;
    return { rejected: "late" in finding ? finding.late : 0, errors: [TOO_SLOW] };
  }

  /** Terminates all threads. Calls in progress and all later calls fail with `UNAVAILABLE`. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#waiting.remove((job) => {
      job.end(shuttingDown());
      return true;
    });
    for (const { threads } of this.#lanes) void threads.destroy();
  }

  get #lanes(): readonly Lane[] {
    return [this.#payloads, this.#documents];
  }

  #textOf(document: object): string {
    const known = this.#texts.get(document);
    if (known !== undefined) return known;
    const text = JSON.stringify(document);
    this.#texts.set(document, text);
    return text;
  }

  async #reasons(account: string, task: Task, size: number, late: Reason): Promise<Reason[]> {
    const finding = await this.#submit(account, [], size, () => task);
    return "reasons" in finding ? finding.reasons : [late];
  }

  /** Throws an error of `WorkLimits.add`. */
  async #submit(
    account: string,
    keys: readonly string[],
    size: number,
    toTask: Job["toTask"],
  ): Promise<Finding> {
    if (this.#isClosed) throw shuttingDown();
    this.#limits.add(account, size);
    const finding = new Promise<Finding>((resolve, reject) => {
      const end = (found: Finding | Error) => (found instanceof Error ? reject(found) : resolve(found));
      const job: Job = { account, keys, createdAtMs: monotonicMs(), toTask, hasCrashed: false, end };
      // Jobs that wait could not start before, so this one passes none of them.
      const lane = this.#lanes.find((one) => this.#mayStart(job, one));
      if (lane) void this.#run(job, lane);
      else this.#waiting.push(job);
    });
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    return finding.finally(() => this.#limits.remove(account, size));
  }

  /** Ends jobs that have reached a deadline. Starts those that may start because time has passed. */
  #check(): void {
    for (const lane of this.#lanes) {
      for (const { progress, abort } of lane.running)
        if (monotonicMs() > progress[PROGRESS.endMs]!) abort.abort();
    }
    this.#waiting.remove((job) => this.#endOverdue(job));
    for (const lane of this.#lanes) this.#startJobs(lane);
    if (this.#limits.unfinishedJobs > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #startJobs(lane: Lane): void {
    while (lane.running.size < THREADS_PER_LANE) {
      const job = this.#waiting.take((next) => this.#mayStart(next, lane));
      if (!job) return;
      const error = this.#limits.errorOf(job.account);
      if (error) job.end(error);
      else if (!this.#endOverdue(job)) void this.#run(job, lane);
    }
  }

  #mayStart(job: Job, lane: Lane): boolean {
    if (lane.running.size === THREADS_PER_LANE) return false;
    const isLong = this.#isLong(job);
    if (lane !== (isLong || job.keys.length === 0 ? this.#documents : this.#payloads)) return false;
    for (const { job: other } of lane.running)
      if (other.account === job.account || (isLong && this.#isLong(other))) return false;
    return true;
  }

  /** Returns whether a job will probably take long. */
  #isLong(job: Job): boolean {
    return this.#slowSchemaOf(job) >= 0 || this.#limits.isBusy(job.account);
  }

  /** Returns the index of the first candidate that is a slow schema, or -1. */
  #slowSchemaOf({ keys }: Job): number {
    return keys.findIndex((key) => this.#slowSchemas.has(key));
  }

  /** Ends a waiting job that has waited too long. Returns whether it did. */
  #endOverdue(job: Job): boolean {
    const waitedMs = monotonicMs() - job.createdAtMs;
    if (waitedMs <= VALIDATION_DEADLINE_MS) return false;
    const slow = this.#slowSchemaOf(job);
    if (slow >= 0) job.end({ late: slow });
    else if (waitedMs > MAX_WAIT_MS) job.end(busy());
    else return false;
    return true;
  }

  async #run(job: Job, lane: Lane): Promise<void> {
    const startedMs = monotonicMs();
    const waitedMs = this.#slowSchemaOf(job) >= 0 ? startedMs - job.createdAtMs : 0;
    const progress = new Float64Array(
      new SharedArrayBuffer(PROGRESS.length * Float64Array.BYTES_PER_ELEMENT),
    );
    progress[PROGRESS.endMs] = startedMs + MAX_WAIT_MS;
    const running = { job, progress, abort: new AbortController() };
    lane.running.add(running);
    const message: TaskMessage = { task: job.toTask(VALIDATION_DEADLINE_MS - waitedMs), progress };
    const finding: Finding | Result | "crash" = await lane.threads
      .run(message, { signal: running.abort.signal })
      .catch(() => (running.abort.signal.aborted ? { late: progress[PROGRESS.candidate]! } : "crash"));
    lane.running.delete(running);
    if (this.#isClosed) return job.end(shuttingDown());
    const usedMs = finding !== "crash" && "ms" in finding ? finding.ms : monotonicMs() - startedMs;
    this.#limits.charge(job.account, usedMs);
    if (finding === "crash" && !job.hasCrashed) {
      job.hasCrashed = true;
      this.#waiting.putBack([job]);
    } else {
      this.#end(job, finding === "crash" ? { late: progress[PROGRESS.candidate]! } : finding);
    }
    this.#startJobs(lane);
  }

  #end(job: Job, finding: Finding): void {
    if ("late" in finding) {
      this.stoppedJobs++;
      const key = job.keys[finding.late];
      if (key !== undefined) this.#slowSchemas.set(key, true);
    }
    job.end(finding);
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

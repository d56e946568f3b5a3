/**
 * Runs untrusted JSON Schemas in worker threads, so that no schema or payload can block the event loop or
 * another account's work.
 *
 * Jobs wait in one queue that serves the accounts in turn. Each job then runs alone on a thread. There are
 * two lanes of threads:
 * - `payloads` validates payloads.
 * - `documents` checks and compares schema documents, at a lower OS priority. It also validates payloads that
 *   will probably take long. These are payloads under slow schemas, which missed a deadline within the last
 *   10 minutes, and payloads of busy accounts, whose jobs took long in the last seconds.
 *
 * The states of a job:
 * - waiting → running: a thread is free. An account runs at most one job per lane. Of the jobs that will
 *   probably take long, only one runs at a time, so that a thread stays free for others.
 * - waiting → ended: the account has used up its time, or the job has waited for 30 s. A payload under a slow
 *   schema already ends at its validation deadline, which includes the time it waits.
 * - running → ended: the thread returns a result, which may say that a validation missed its deadline. The
 *   pool terminates a thread that returns nothing in time.
 * - running → waiting: the thread crashed, for example because earlier jobs had filled its memory. If the job
 *   crashes a thread again, it ends as if it had missed its deadline.
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

/** The threads' compiled program. Threads need JavaScript even when tests run the TypeScript sources. */
export const WORKER_FILE = packageFile("dist/src/service/validation/worker.js");
/**
 * Memory limits of a thread. Exceeding them ends the thread but not the process. The stack fits a payload of
 * 64 nested levels, each validated through a chain of 100 schema references.
 */
export const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 };
/** Time without a job after which a thread ends. Threads start when jobs need them. */
const IDLE_TIMEOUT_MS = 600_000;
const THREADS_PER_LANE = 2;

const SLOW_SCHEMA_MS = 600_000;
const MAX_SLOW_SCHEMAS = 10_000;
const CHECK_INTERVAL_MS = 10;

interface Job {
  readonly account: string;
  /** Keys of the candidate schemas. Empty for jobs on schema documents. */
  readonly keys: readonly string[];
  /** When the caller submitted the job, from `monotonicMs`. */
  readonly createdAtMs: number;
  toTask(deadlineMs: number): Task;
  hasCrashed: boolean;
  /** Resolves or rejects the caller's promise. */
  end(finding: Finding | Error): void;
}

interface Running {
  readonly job: Job;
  readonly progress: Float64Array;
  readonly abort: AbortController;
}

interface Lane {
  readonly threads: Tinypool;
  readonly running: Set<Running>;
}

function createLane(runner: "run" | "runAtLowPriority"): Lane {
  const threads = new Tinypool({
    filename: WORKER_FILE,
    name: runner,
    minThreads: 0,
    maxThreads: THREADS_PER_LANE,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: RESOURCE_LIMITS,
  });
  // Ignore a failed thread start, because the job then waits for another thread.
  threads.on("error", () => undefined);
  return { threads, running: new Set() };
}

export class ValidatorPool {
  stoppedJobs = 0;
  readonly #waiting = new FairQueue<Job>(({ account }) => account);
  readonly #payloads = createLane("run");
  readonly #documents = createLane("runAtLowPriority");
  readonly #limits = new WorkLimits();
  readonly #slowSchemas = new LRUCache<string, true>({
    maxSize: MAX_SLOW_SCHEMAS,
    sizeCalculation: () => 1,
    ttl: SLOW_SCHEMA_MS,
  });
  readonly #texts = new WeakMap<object, string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  get unfinishedJobs(): number {
    return this.#limits.unfinishedJobs;
  }

  /** See `WorkLimits.reserve`. */
  reserve(account: string, characters: number): () => void {
    return this.#limits.reserve(account, characters);
  }

  /**
   * Returns the reasons why a document is not an acceptable schema, or an empty array. If the check misses
   * its deadline, returns one reason with the keyword `timeout`.
   * @param account id of the account that the work counts against
   */
  async check(account: string, document: unknown): Promise<Reason[]> {
    const text = toJson(document);
    if (text === undefined) return [TOO_DEEP];
    return this.#reasons(account, { kind: "check", document: text }, text.length, TOO_COMPLEX);
  }

  /**
   * Returns the reasons why `newer` may reject payloads that `older` accepts, or an empty array if `newer` is
   * backward compatible. If the comparison misses its deadline, returns one reason with the keyword `compat`.
   */
  async compare(account: string, older: object, newer: object): Promise<Reason[]> {
    const [olderText, newerText] = [toJson(older), toJson(newer)];
    if (olderText === undefined || newerText === undefined) return [TOO_DEEP];
    const task: Task = { kind: "compare", older: olderText, newer: newerText };
    return this.#reasons(account, task, olderText.length + newerText.length, NOT_COMPARABLE);
  }

  /**
   * Validates a payload like `validateCandidates`. If the validation misses its deadline, the verdict is a
   * rejection whose only reason has the keyword `timeout`.
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

  /** Running and later calls fail with `UNAVAILABLE`. */
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
      // This job does not overtake waiting jobs, because none of them can start now.
      const lane = this.#lanes.find((one) => this.#mayStart(job, one));
      if (lane) void this.#run(job, lane);
      else this.#waiting.push(job);
    });
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    return finding.finally(() => this.#limits.remove(account, size));
  }

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

  #isLong(job: Job): boolean {
    return this.#slowSchemaOf(job) >= 0 || this.#limits.isBusy(job.account);
  }

  #slowSchemaOf({ keys }: Job): number {
    return keys.findIndex((key) => this.#slowSchemas.has(key));
  }

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

/** Returns the value as JSON, or undefined if the value is nested too deeply for `JSON.stringify`. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return undefined;
  }
}

import { Worker } from "node:worker_threads";
import { monotonicMs, monotonicNs } from "../../kernel/clock.js";
import { packageFile } from "../../kernel/package-file.js";
import { PHASES, type Phase, type Report, type Result, STATUS, toMs, type WorkerData } from "./protocol.js";

/**
 * Memory limits of a worker thread. A thread that exceeds them ends, but the process continues. The stack is
 * large enough for a payload of 64 nested levels, each validated through a chain of 100 schema references.
 */
export const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 };

/** The built program of the thread. A thread needs JavaScript, also if tests run the TypeScript sources. */
const WORKER_FILE = packageFile("dist/src/service/validation/worker.js");

const PHASE_NAMES = new Map<bigint, Phase>(Object.entries(PHASES).map(([name, n]) => [n, name as Phase]));

/**
 * Why a job was stopped: a phase exceeded its deadline, the thread crashed, or the job waited too long in the
 * queue.
 */
export type Stop = { cause: Phase | "crash" | "waiting"; candidate: number };

/**
 * A call of the validator pool, which a worker thread runs. Two threads may run the same job, because jobs
 * have no side effects. The first result counts.
 */
export interface Job {
  readonly id: number;
  /** Id of the account whose request needs the job. */
  readonly account: string;
  /** Time of the call, from `monotonicMs`. */
  readonly createdAtMs: number;
  /** Keys of the candidate schemas. Empty for jobs that check or compare schema documents. */
  readonly keys: readonly string[];
  /** Length of the payload or of the schema documents, in characters. */
  readonly size: number;
  /**
   * Returns the task as JSON. Omits a schema document if `has` returns true for its key, because the thread
   * already has it.
   */
  task(has: (key: string) => boolean): string;
  /** The thread that runs the job. Undefined while the job is queued. Another thread may still run it too. */
  thread?: WorkerThread | undefined;
  isFinished: boolean;
  /** Whether a thread has crashed that ran the job. The job then runs again, alone in its batch. */
  hasCrashed: boolean;
  /** Whether the job has blocked a queue of short jobs, and was moved to a queue of long ones. */
  isLong: boolean;
  complete(result: Result): void;
  stop(stop: Stop): void;
  fail(error: Error): void;
}

/** Progress of the job that a thread is running. */
export interface Progress {
  job: Job;
  candidate: number;
  phase: Phase;
  /** Elapsed time, which is compared with the deadline of the phase. */
  elapsedMs: number;
}

export interface WorkerThreadEvents {
  /** Called with an empty array when the thread has started, and later with results. */
  onReport(thread: WorkerThread, results: Result[]): void;
  /** Called when the thread has crashed or has exceeded its memory limits. */
  onExit(thread: WorkerThread, error: Error): void;
}

/** Controls a worker thread from the main thread. */
export class WorkerThread {
  /** Jobs that have no result yet, by id, in the order in which the thread runs them. */
  readonly inFlight = new Map<number, Job>();
  isReady = false;
  /** Time at which the last batch was sent, from `monotonicMs`. */
  sentAtMs = 0;
  readonly #worker: Worker;
  readonly #status = new BigInt64Array(
    new SharedArrayBuffer(STATUS.length * BigInt64Array.BYTES_PER_ELEMENT),
  );
  /** Keys of the schemas whose documents were sent to the thread. */
  readonly #sentKeys = new Set<string>();
  #error = new Error("the validator thread ended");
  #stopping: { job: Job; sinceMs: number } | undefined;
  #isClosed = false;

  /**
   * Starts the thread.
   * @param isLowPriority whether the thread runs at a lower OS priority
   */
  constructor(events: WorkerThreadEvents, isLowPriority: boolean) {
    const workerData: WorkerData = { isLowPriority, status: this.#status };
    this.#worker = new Worker(WORKER_FILE, { workerData, resourceLimits: RESOURCE_LIMITS });
    this.#worker.unref();
    this.#worker.on("message", (report: string) => {
      if (this.#isClosed) return;
      const { results, dropped } = JSON.parse(report) as Report;
      this.isReady = true;
      this.forget(dropped);
      events.onReport(this, results);
    });
    this.#worker.on("error", (error) => {
      this.#error = error;
    });
    this.#worker.on("exit", () => {
      if (!this.#isClosed) events.onExit(this, this.#error);
    });
  }

  /** Sends a batch of jobs. The thread runs them one at a time. */
  send(jobs: Job[]): void {
    const tasks = jobs.map((job) => {
      job.thread = this;
      this.inFlight.set(job.id, job);
      const task = job.task((key) => this.#sentKeys.has(key));
      for (const key of job.keys) this.#sentKeys.add(key);
      return task;
    });
    this.sentAtMs = monotonicMs();
    this.#worker.postMessage(`[${tasks.join(",")}]`);
  }

  /** Marks the documents with these keys as not sent to the thread, so that the next job includes them. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#sentKeys.delete(key);
  }

  /**
   * Reads the progress of the running job from shared memory, because a busy thread does not process
   * messages.
   */
  progress(): Progress | undefined {
    const read = (index: number) => Atomics.load(this.#status, index);
    const id = read(STATUS.job);
    const job = this.inFlight.get(Number(id));
    const phase = PHASE_NAMES.get(read(STATUS.phase)) ?? "checking";
    const used = phase === "validating" ? read(STATUS.used) : 0n;
    const elapsedMs = toMs(monotonicNs() - read(STATUS.since) + used);
    const candidate = Number(read(STATUS.candidate));
    // Returns undefined if the thread has started its next job during these reads, because the values are
    // then inconsistent.
    return job && id === read(STATUS.job) ? { job, candidate, phase, elapsedMs } : undefined;
  }

  /**
   * Requests the thread to stop this job. A validation polls for the request, but the compilation of a schema
   * does not.
   */
  requestStop(job: Job): void {
    if (this.#stopping?.job === job) return;
    this.#stopping = { job, sinceMs: monotonicMs() };
    Atomics.store(this.#status, STATUS.stop, BigInt(job.id));
  }

  /** Returns the milliseconds since `requestStop` was called for this job, or 0 if it was not called. */
  msSinceStop(job: Job): number {
    return this.#stopping?.job === job ? monotonicMs() - this.#stopping.sinceMs : 0;
  }

  close(): void {
    this.#isClosed = true;
    void this.#worker.terminate();
  }
}

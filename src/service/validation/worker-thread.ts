import { Worker } from "node:worker_threads";
import { monotonicMs, monotonicNs } from "../../kernel/clock.js";
import { PHASES, type Phase, type Report, type Result, STATUS, toMs, type WorkerData } from "./protocol.js";

/** Megabytes. Beyond them the thread ends, and not the process. The stack suffices for 64 levels × 100 references. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 };

const PHASE_NAMES = new Map<bigint, Phase>(Object.entries(PHASES).map(([name, n]) => [n, name as Phase]));

/** Why a job was stopped from outside: in a phase past its deadline, by a crash, or before it began. */
export type Stop = { cause: Phase | "crash" | "waiting"; candidate: number };

/** One call of the pool until it is settled. It has no side effects, so two threads may run it: the first result counts. */
export interface Job {
  readonly id: number;
  /** When the call was made, by `monotonicMs`. */
  readonly createdAtMs: number;
  /** Keys of the schemas that it validates under. */
  readonly keys: readonly string[];
  /** Characters of the payload, or of the documents. */
  readonly size: number;
  /** The task as JSON, with the documents of the keys that the thread has not been sent. */
  task(has: (key: string) => boolean): string;
  /** The thread whose result is awaited; none while the job is queued. */
  thread?: WorkerThread | undefined;
  isSettled: boolean;
  complete(result: Result): void;
  stop(stop: Stop): void;
  fail(error: Error): void;
}

/** What a thread is working on. */
export interface Progress {
  job: Job;
  candidate: number;
  phase: Phase;
  /** Counts against the deadline of the phase. */
  elapsedMs: number;
}

export interface WorkerThreadEvents {
  /** The thread has started, or has results. */
  onReport(thread: WorkerThread, results: Result[]): void;
  /** The thread has ended by itself: it crashed, or ran out of memory. */
  onExit(thread: WorkerThread, error: Error): void;
}

/** A worker thread, as the pool sees it. */
export class WorkerThread {
  /** Jobs without a result yet, in the order in which they run. */
  readonly inFlight = new Map<number, Job>();
  isReady = false;
  /** When the jobs in flight were sent. */
  sentAtMs = 0;
  readonly #worker: Worker;
  readonly #status = new BigInt64Array(
    new SharedArrayBuffer(STATUS.length * BigInt64Array.BYTES_PER_ELEMENT),
  );
  /** Keys whose documents the thread has been sent. */
  readonly #known = new Set<string>();
  #error = new Error("the validator thread ended");
  #stopping: { job: Job; sinceMs: number } | undefined;
  #isClosed = false;

  /** @param isLowPriority whether other threads of the machine go first */
  constructor(events: WorkerThreadEvents, isLowPriority: boolean) {
    const workerData: WorkerData = { isLowPriority, status: this.#status };
    this.#worker = new Worker(workerFile(), { workerData, resourceLimits: RESOURCE_LIMITS });
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

  /** Sends a batch of jobs, which run one after the other. */
  send(jobs: Job[]): void {
    const tasks = jobs.map((job) => {
      job.thread = this;
      this.inFlight.set(job.id, job);
      const task = job.task((key) => this.#known.has(key));
      for (const key of job.keys) this.#known.add(key);
      return task;
    });
    this.sentAtMs = monotonicMs();
    this.#worker.postMessage(`[${tasks.join(",")}]`);
  }

  /** Sends the documents of these keys again with the next job. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#known.delete(key);
  }

  /** What the thread is working on, from shared memory: a busy thread cannot answer messages. */
  progress(): Progress | undefined {
    const read = (index: number) => Atomics.load(this.#status, index);
    const id = read(STATUS.job);
    const job = this.inFlight.get(Number(id));
    const phase = PHASE_NAMES.get(read(STATUS.phase)) ?? "checking";
    const used = phase === "validating" ? read(STATUS.used) : 0n;
    const elapsedMs = toMs(monotonicNs() - read(STATUS.since) + used);
    const candidate = Number(read(STATUS.candidate));
    // If the thread has gone on to the next job meanwhile, the values belong to two jobs.
    return job && id === read(STATUS.job) ? { job, candidate, phase, elapsedMs } : undefined;
  }

  /** Asks the thread to stop validating this job. Validation polls for that; compiling does not. */
  requestStop(job: Job): void {
    if (this.#stopping?.job === job) return;
    this.#stopping = { job, sinceMs: monotonicMs() };
    Atomics.store(this.#status, STATUS.stop, BigInt(job.id));
  }

  /** Milliseconds since `requestStop` of this job. */
  msSinceStop(job: Job): number {
    return this.#stopping?.job === job ? monotonicMs() - this.#stopping.sinceMs : 0;
  }

  close(): void {
    this.#isClosed = true;
    void this.#worker.terminate();
  }
}

/** Node runs JavaScript alone, so where the sources themselves run, as in tests, this is the built file. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(
    isSource ? "../../../dist/src/service/validation/worker.js" : "./worker.js",
    import.meta.url,
  );
}

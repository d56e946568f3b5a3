import { Worker } from "node:worker_threads";
import { monotonicMs, monotonicNs } from "../../kernel/clock.js";
import type { Job } from "./job.js";
import { type Answer, PHASES, type Phase, type Report, STATUS, type ThreadData, toMs } from "./protocol.js";

/** Megabytes: beyond them the thread ends, and not the process. The stack suffices for 64 levels × 100 references. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 16 };

const PHASE_NAMES = new Map<bigint, Phase>(Object.entries(PHASES).map(([name, n]) => [n, name as Phase]));

/** What a thread is at this moment. */
export interface Current {
  job: Job;
  candidate: number;
  phase: Phase;
  /** Milliseconds that count against the deadline of the phase. */
  spent: number;
}

export interface ThreadEvents {
  /** The thread has started, or has answered some of its jobs. */
  onReport(thread: Thread, answers: Answer[]): void;
  /** The thread has ended by itself: a crash, or no memory. */
  onGone(thread: Thread, error: Error): void;
}

/** A worker thread, seen from outside. */
export class Thread {
  /** Jobs sent and not yet answered, in the order of their turn. */
  readonly inFlight = new Map<number, Job>();
  isReady = false;
  /** When the jobs in flight were sent. */
  sentAt = 0;
  readonly #worker: Worker;
  readonly #status = new BigInt64Array(
    new SharedArrayBuffer(STATUS.length * BigInt64Array.BYTES_PER_ELEMENT),
  );
  readonly #has = new Set<string>();
  #error = new Error("the validator thread ended");
  #stopping: { job: Job; since: number } | undefined;
  #isClosed = false;

  /** @param yields whether it gives way where others want the processor */
  constructor(events: ThreadEvents, yields: boolean) {
    const workerData: ThreadData = { yields, status: this.#status };
    this.#worker = new Worker(workerFile(), { workerData, resourceLimits: RESOURCE_LIMITS });
    this.#worker.unref();
    this.#worker.on("message", (report: string) => {
      if (this.#isClosed) return;
      const { answers, dropped } = JSON.parse(report) as Report;
      this.isReady = true;
      for (const key of dropped) this.#has.delete(key);
      events.onReport(this, answers);
    });
    this.#worker.on("error", (error) => {
      this.#error = error;
    });
    this.#worker.on("exit", () => {
      if (!this.#isClosed) events.onGone(this, this.#error);
    });
  }

  /** Sends jobs, to be run in turn. */
  send(jobs: Job[]): void {
    const orders = jobs.map((job) => {
      job.thread = this;
      this.inFlight.set(job.id, job);
      const order = job.order((key) => this.#has.has(key));
      for (const key of job.keys) this.#has.add(key);
      return order;
    });
    this.sentAt = monotonicMs();
    this.#worker.postMessage(`[${orders.join(",")}]`);
  }

  /** Forgets that the thread was sent these keys, so that their documents are sent again. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#has.delete(key);
  }

  /** The job that is running, if one is; seen even while the thread can say nothing. */
  current(): Current | undefined {
    const read = (place: number) => Atomics.load(this.#status, place);
    const id = read(STATUS.job);
    const job = this.inFlight.get(Number(id));
    const phase = PHASE_NAMES.get(read(STATUS.phase)) ?? "checking";
    const used = phase === "validating" ? read(STATUS.used) : 0n;
    const spent = toMs(monotonicNs() - read(STATUS.since) + used);
    const candidate = Number(read(STATUS.candidate));
    return job && id === read(STATUS.job) ? { job, candidate, phase, spent } : undefined;
  }

  /** Tells the thread to stop validating this job. A validation looks for that; where the time has gone elsewhere, none does. */
  stop(job: Job): void {
    if (this.#stopping?.job === job) return;
    this.#stopping = { job, since: monotonicMs() };
    Atomics.store(this.#status, STATUS.stop, BigInt(job.id));
  }

  /** Milliseconds since the thread was told to stop this job. */
  stoppingFor(job: Job): number {
    return this.#stopping?.job === job ? monotonicMs() - this.#stopping.since : 0;
  }

  close(): void {
    this.#isClosed = true;
    void this.#worker.terminate();
  }
}

/** Node runs JavaScript alone: where the sources themselves run, as in tests, the thread is the one that was built. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "../../../dist/validation-thread.js" : "./validation-thread.js", import.meta.url);
}

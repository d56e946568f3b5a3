import { monotonicMs } from "../../kernel/clock.js";
import type { Phase, Result } from "./protocol.js";
import { type Job, type Progress, type Stop, WorkerThread } from "./worker-thread.js";

/** How often a queue checks the progress of its busy threads. */
const CHECK_INTERVAL_MS = 5;
/** Characters of one batch: a thread parses them in a few milliseconds. */
const MAX_BATCH_SIZE = 512 * 1024;
/** A thread that is blocked for longer will probably be terminated, so a new spare is worth its 55 ms. */
const PROBABLY_LOST_MS = 50;
/** A validation that is asked to stop does so within this time, on a busy machine too. */
const STOP_TIMEOUT_MS = 250;

export interface JobQueueOptions {
  /** Jobs sent to a thread at once. */
  maxBatch: number;
  /** How long a job may block those behind it, before they move to another thread. */
  maxBlockingMs: number;
  /** Threads at once, blocked ones included. */
  maxThreads: number;
  /** Whether other threads of the machine go first, so that slow jobs do not slow down the rest. */
  isLowPriority: boolean;
  /** Whether a second thread is kept ready to take over. */
  keepsSpare: boolean;
  deadlinesMs: Record<Phase, number>;
  /** Whether a job that is queued or validating is overdue, whatever the deadline of its phase. */
  isOverdue(job: Job): boolean;
  /** Is called at every check while a job runs for longer than `maxBlockingMs`. */
  onSlow(progress: Progress): void;
  /** Is called when a job was stopped past its deadline, or has crashed its thread. */
  onStopped(job: Job, candidate: number): void;
  /** Whether a queued job must not run yet. */
  isHeld(job: Job): boolean;
  /** Moves a queued job to another queue if it belongs there; true if it did. */
  reroute(job: Job, from: JobQueue): boolean;
}

/**
 * A queue of jobs before one active worker thread. If a job blocks those behind it, they move to the spare thread, which becomes the
 * active one. The blocked thread becomes a spare when its job ends, or is terminated at the job's deadline.
 */
export class JobQueue {
  #queued: Job[] = [];
  #active: WorkerThread | undefined;
  #spare: WorkerThread | undefined;
  readonly #blocked = new Set<WorkerThread>();
  #timer: NodeJS.Timeout | undefined;
  #isDispatchScheduled = false;
  #failedThreads = 0;

  constructor(readonly options: JobQueueOptions) {}

  submit(job: Job): void {
    this.#queued.push(job);
    this.#scheduleDispatch();
  }

  /** Starts the threads that the next job needs. */
  warmUp(): void {
    this.#ensureThreads();
  }

  /** Terminates all threads and fails all jobs. */
  close(error: Error): void {
    clearInterval(this.#timer);
    for (const thread of this.#threads()) {
      thread.close();
      this.#queued.push(...thread.inFlight.values());
    }
    this.#active = undefined;
    this.#spare = undefined;
    this.#blocked.clear();
    this.#failQueued(error);
  }

  #threads(): WorkerThread[] {
    return [this.#active, this.#spare, ...this.#blocked].filter((thread) => thread !== undefined);
  }

  /** At the end of this turn of the event loop, so that all its calls go into one batch. */
  #scheduleDispatch(): void {
    if (this.#isDispatchScheduled) return;
    this.#isDispatchScheduled = true;
    setImmediate(() => {
      this.#isDispatchScheduled = false;
      this.#dispatch();
    });
  }

  /** Sends the next batch if the active thread is idle. */
  #dispatch(): void {
    if (this.#queued.length === 0) return;
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    this.#ensureThreads();
    const thread = this.#active;
    if (!thread?.isReady || thread.inFlight.size > 0) return;
    const jobs = this.#takeBatch();
    if (jobs.length > 0) thread.send(jobs);
  }

  #takeBatch(): Job[] {
    const jobs: Job[] = [];
    const rest: Job[] = [];
    let size = 0;
    for (const job of this.#queued) {
      const isFull =
        jobs.length > 0 && (jobs.length >= this.options.maxBatch || size + job.size > MAX_BATCH_SIZE);
      if (isFull || this.options.isHeld(job)) rest.push(job);
      else if (!job.isSettled) {
        jobs.push(job);
        size += job.size;
      }
    }
    this.#queued = rest;
    return jobs;
  }

  #ensureThreads(): void {
    const hasRoom = () => this.#threads().length < this.options.maxThreads;
    if (this.#active === undefined) {
      this.#active = this.#spare;
      this.#spare = undefined;
    }
    if (this.#active === undefined && hasRoom()) this.#active = this.#start();
    const mayReturn = [...this.#blocked].some((thread) => monotonicMs() - thread.sentAtMs < PROBABLY_LOST_MS);
    if (this.options.keepsSpare && this.#spare === undefined && !mayReturn && hasRoom())
      this.#spare = this.#start();
  }

  #start(): WorkerThread {
    const events = {
      onReport: (thread: WorkerThread, results: Result[]) => this.#onReport(thread, results),
      onExit: (thread: WorkerThread, error: Error) => this.#onExit(thread, error),
    };
    return new WorkerThread(events, this.options.isLowPriority);
  }

  #onReport(thread: WorkerThread, results: Result[]): void {
    this.#failedThreads = 0;
    for (const result of results) {
      const job = thread.inFlight.get(result.id);
      thread.inFlight.delete(result.id);
      if (job === undefined || job.isSettled) continue;
      if ("missing" in result) {
        thread.forget(job.keys);
        if (job.thread === thread) this.#requeue([job]);
      } else job.complete(result);
    }
    if (thread.inFlight.size === 0 && this.#blocked.delete(thread)) this.#reuse(thread);
    this.#dispatch();
  }

  #reuse(thread: WorkerThread): void {
    if (this.#active === undefined) this.#active = thread;
    else if (this.#spare === undefined) this.#spare = thread;
    else thread.close();
  }

  #onExit(thread: WorkerThread, error: Error): void {
    const progress = thread.progress();
    this.#terminate(thread);
    if (progress) this.#stop(progress.job, { cause: "crash", candidate: progress.candidate });
    // A thread that could not even start will not start the next time either.
    else if (!thread.isReady || ++this.#failedThreads > 2) this.#failQueued(error);
    this.#dispatch();
  }

  #terminate(thread: WorkerThread): void {
    thread.close();
    this.#blocked.delete(thread);
    if (this.#active === thread) this.#active = undefined;
    if (this.#spare === thread) this.#spare = undefined;
    this.#requeue([...thread.inFlight.values()].filter((job) => job.thread === thread));
  }

  /** Puts jobs back at the head of the queue. */
  #requeue(jobs: Job[]): void {
    const open = jobs.filter((job) => !job.isSettled);
    for (const job of open) job.thread = undefined;
    this.#queued.unshift(...open);
  }

  #failQueued(error: Error): void {
    for (const job of this.#queued.splice(0)) job.fail(error);
  }

  #stop(job: Job, stop: Stop): void {
    if (job.isSettled) return;
    job.stop(stop);
    this.options.onStopped(job, stop.candidate);
  }

  #check(): void {
    const busy = this.#threads().filter((thread) => thread.inFlight.size > 0);
    if (busy.length === 0 && this.#queued.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const thread of busy) this.#checkProgress(thread);
    if (this.options.keepsSpare) this.#ensureThreads();
    this.#dropOverdue();
    this.#queued = this.#queued.filter((job) => !this.options.reroute(job, this));
    this.#dispatch();
  }

  #checkProgress(thread: WorkerThread): void {
    const progress = thread.progress();
    if (progress === undefined) return;
    const { job, candidate, phase, elapsedMs } = progress;
    const { deadlinesMs, maxBlockingMs, isOverdue, onSlow } = this.options;
    if (elapsedMs > deadlinesMs[phase] || (phase === "validating" && isOverdue(job))) {
      this.#stop(job, { cause: phase, candidate });
      if (phase === "validating") thread.requestStop(job);
      if (phase !== "validating" || thread.msSinceStop(job) > STOP_TIMEOUT_MS) this.#terminate(thread);
      return;
    }
    if (elapsedMs > maxBlockingMs) onSlow(progress);
    const isBlocking = this.#queued.length > 0 || thread.inFlight.size > 1;
    if (thread === this.#active && isBlocking && monotonicMs() - thread.sentAtMs > maxBlockingMs)
      this.#failOver(thread, job);
  }

  /** Makes the spare thread the active one, with all jobs but the one that blocks. */
  #failOver(thread: WorkerThread, blocking: Job): void {
    if (this.#spare === undefined && this.#threads().length >= this.options.maxThreads) return;
    this.#blocked.add(thread);
    this.#active = this.#spare ?? this.#start();
    this.#spare = undefined;
    this.#requeue([...thread.inFlight.values()].filter((job) => job !== blocking && job.thread === thread));
  }

  #dropOverdue(): void {
    this.#queued = this.#queued.filter((job) => {
      if (job.isSettled || !this.options.isOverdue(job)) return !job.isSettled;
      job.stop({ cause: "waiting", candidate: 0 });
      return false;
    });
  }
}

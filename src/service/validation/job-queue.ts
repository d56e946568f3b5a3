import { monotonicMs } from "../../kernel/clock.js";
import { FairQueue } from "../../kernel/fair-queue.js";
import type { Phase, Result } from "./protocol.js";
import { busy, MAX_WAIT_MS } from "./work-limits.js";
import { type Job, type Progress, type Stop, WorkerThread } from "./worker-thread.js";

/** Interval at which a queue checks the progress of its busy threads. */
const CHECK_INTERVAL_MS = 5;
/** Maximum number of characters in one batch. A thread parses such a batch in a few milliseconds. */
const MAX_BATCH_CHARACTERS = 512 * 1024;
/**
 * A thread that is blocked for longer than this will probably be terminated. The queue then starts another
 * spare thread. The start takes 55 ms of CPU time.
 */
const PROBABLY_LOST_MS = 50;
/**
 * A validation normally stops within this time after a stop request. The queue terminates a thread that takes
 * longer.
 */
const STOP_TIMEOUT_MS = 250;
/** The same time for a job that was moved to another queue, because other jobs wait for its thread. */
const MOVE_TIMEOUT_MS = 25;

export interface JobQueueOptions {
  /** Maximum number of jobs in one batch. */
  maxBatch: number;
  /**
   * Time for which a job may block the jobs behind it. After this time, those jobs move to another thread.
   */
  maxBlockingMs: number;
  /** Maximum number of threads, including blocked threads. */
  maxThreads: number;
  /** Maximum number of threads that run jobs of one account at the same time. */
  maxThreadsPerAccount: number;
  /** Whether the threads run at a lower OS priority, so that slow jobs do not take CPU time from requests. */
  isLowPriority: boolean;
  /** Whether the queue keeps an idle spare thread, which can take over the jobs of a blocked thread. */
  keepsSpare: boolean;
  deadlinesMs: Record<Phase, number>;
  /**
   * Returns whether a queued or running validation has exceeded its total deadline. The deadlines per phase
   * apply as well.
   */
  isOverdue(job: Job): boolean;
  /** Called on each progress check of a job that has run for longer than `maxBlockingMs`. */
  onSlow(progress: Progress): void;
  /** Called after a job was stopped at its deadline, or after it has crashed its thread. */
  onStopped(job: Job, candidate: number): void;
  /** Returns whether the queue must not start this job yet. */
  isDeferred(job: Job): boolean;
  /** Moves a queued job to another queue if the job belongs there. Returns whether the job was moved. */
  reroute(job: Job, from: JobQueue): boolean;
  /** Time after which a job that blocks others is moved, if no other thread is left for them. */
  maxShortMs: number;
  /**
   * Called with a job that blocks others while no other thread is left. Moves it to another queue, and
   * returns whether it did.
   */
  moveLong(job: Job): boolean;
  /** Called with the time that a job has used in a thread. The time is 0 if it is too short to count. */
  onUsed(job: Job, ms: number): void;
  /** Returns the error of a job that must not start, because its account has used too much time. */
  errorOf(job: Job): Error | undefined;
}

/**
 * A queue of jobs for one active worker thread. Accounts take turns. If a job blocks the jobs behind it, the
 * spare thread becomes active and runs those jobs. The blocked thread becomes the spare when its job ends. If
 * the job does not stop at its deadline, the thread is terminated. If all threads are blocked, the job moves
 * to another queue, where it starts again.
 */
export class JobQueue {
  readonly #queued = new FairQueue<Job>(({ account }) => account);
  #active: WorkerThread | undefined;
  #spare: WorkerThread | undefined;
  readonly #blocked = new Set<WorkerThread>();
  #timer: NodeJS.Timeout | undefined;
  #isDispatchScheduled = false;

  constructor(readonly options: JobQueueOptions) {}

  submit(job: Job): void {
    this.#queued.push(job);
    this.#scheduleDispatch();
  }

  /** Starts the threads before the first job arrives. */
  warmUp(): void {
    this.#ensureThreads();
  }

  /** Terminates all threads. All unfinished jobs fail with `error`. */
  close(error: Error): void {
    clearInterval(this.#timer);
    for (const thread of this.#threads()) {
      thread.close();
      this.#queued.putBack([...thread.inFlight.values()]);
    }
    this.#active = undefined;
    this.#spare = undefined;
    this.#blocked.clear();
    this.#failQueued(error);
  }

  #threads(): WorkerThread[] {
    return [this.#active, this.#spare, ...this.#blocked].filter((thread) => thread !== undefined);
  }

  /**
   * Dispatches the queue at the end of this event-loop turn, so that all calls of the turn form one batch.
   */
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
    if (this.#queued.size === 0) return;
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    this.#ensureThreads();
    const thread = this.#active;
    if (!thread?.isReady || thread.inFlight.size > 0) return;
    const jobs = this.#takeBatch();
    if (jobs.length > 0) thread.send(jobs);
  }

  #takeBatch(): Job[] {
    const jobs: Job[] = [];
    let size = 0;
    this.#queued.remove((job) => job.isFinished);
    const fits = (job: Job) =>
      jobs.length === 0 || (!job.hasCrashed && size + job.size <= MAX_BATCH_CHARACTERS);
    while (jobs.length < this.options.maxBatch && !jobs[0]?.hasCrashed) {
      const job = this.#queued.take((next) => fits(next) && this.#mayRun(next));
      if (!job) break;
      const error = this.options.errorOf(job);
      if (error) {
        job.fail(error);
        continue;
      }
      jobs.push(job);
      size += job.size;
    }
    return jobs;
  }

  #mayRun(job: Job): boolean {
    const { isDeferred, maxThreads, maxThreadsPerAccount } = this.options;
    if (isDeferred(job)) return false;
    if (maxThreadsPerAccount >= maxThreads) return true;
    const isOfAccount = ({ account }: Job) => account === job.account;
    return (
      this.#threads().filter(({ inFlight }) => [...inFlight.values()].some(isOfAccount)).length <
      maxThreadsPerAccount
    );
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
    for (const result of results) {
      const job = thread.inFlight.get(result.id);
      thread.inFlight.delete(result.id);
      if (job === undefined) continue;
      this.options.onUsed(job, result.ms ?? 0);
      // A job that was stopped is finished, or it was moved to another thread.
      if (job.isFinished || "stopped" in result) continue;
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
    const suspects = progress ? [progress.job] : [...thread.inFlight.values()];
    if (progress) this.options.onUsed(progress.job, progress.elapsedMs);
    for (const job of suspects) {
      // Earlier jobs may have filled the memory.
      if (job.hasCrashed) this.#stop(job, { cause: "crash", candidate: progress?.candidate ?? 0 });
      else job.hasCrashed = true;
    }
    this.#terminate(thread);
    // If a thread failed to start, the queued jobs fail too, because a new thread would probably fail as
    // well.
    if (!thread.isReady) this.#failQueued(error);
    this.#dispatch();
  }

  #terminate(thread: WorkerThread): void {
    thread.close();
    this.#blocked.delete(thread);
    if (this.#active === thread) this.#active = undefined;
    if (this.#spare === thread) this.#spare = undefined;
    this.#requeue([...thread.inFlight.values()].filter((job) => job.thread === thread));
  }

  /** Puts the unfinished jobs back at the front of the queue. */
  #requeue(jobs: Job[]): void {
    const open = jobs.filter((job) => !job.isFinished);
    for (const job of open) job.thread = undefined;
    this.#queued.putBack(open);
  }

  #failQueued(error: Error): void {
    this.#queued.remove((job) => {
      job.fail(error);
      return true;
    });
  }

  #stop(job: Job, stop: Stop): void {
    if (job.isFinished) return;
    job.stop(stop);
    this.options.onStopped(job, stop.candidate);
  }

  #check(): void {
    const busy = this.#threads().filter((thread) => thread.inFlight.size > 0);
    if (busy.length === 0 && this.#queued.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const thread of busy) this.#checkProgress(thread);
    if (this.options.keepsSpare) this.#ensureThreads();
    this.#dropOverdue();
    this.#queued.remove((job) => this.options.reroute(job, this));
    this.#dispatch();
  }

  #checkProgress(thread: WorkerThread): void {
    const progress = thread.progress();
    if (progress === undefined) return;
    const { job, candidate, phase, elapsedMs } = progress;
    const { deadlinesMs, maxBlockingMs, isOverdue, onSlow, onUsed } = this.options;
    if (job.thread !== thread && !job.isFinished) {
      // The job was moved to another thread.
      if (phase === "validating") thread.requestStop(job);
      if (elapsedMs > deadlinesMs[phase] || thread.msSinceStop(job) > MOVE_TIMEOUT_MS)
        this.#terminate(thread);
      return;
    }
    if (elapsedMs > deadlinesMs[phase] || (phase === "validating" && isOverdue(job))) {
      this.#stop(job, { cause: phase, candidate });
      if (phase === "validating") thread.requestStop(job);
      if (phase !== "validating" || thread.msSinceStop(job) > STOP_TIMEOUT_MS) {
        onUsed(job, elapsedMs);
        this.#terminate(thread);
      }
      return;
    }
    if (elapsedMs > maxBlockingMs) onSlow(progress);
    if (thread !== this.#active || monotonicMs() - thread.sentAtMs <= maxBlockingMs) return;
    if (thread.inFlight.size > 1 || this.#queued.has((next) => this.#mayRun(next)))
      this.#unblock(thread, progress);
  }

  /**
   * Lets the jobs behind a blocking job run: in another thread, or in this one after the blocking job was
   * moved.
   */
  #unblock(thread: WorkerThread, { job, phase, elapsedMs }: Progress): void {
    const { maxThreads, maxShortMs, moveLong, onUsed } = this.options;
    if (this.#spare !== undefined || this.#threads().length < maxThreads) {
      this.#failOver(thread, job);
    } else if (elapsedMs > maxShortMs && moveLong(job)) {
      if (phase === "validating") thread.requestStop(job);
      else {
        onUsed(job, elapsedMs);
        this.#terminate(thread);
      }
    }
  }

  /**
   * Makes the spare thread the active one. Moves the jobs of the blocked thread back to the queue, except the
   * job that blocks it.
   */
  #failOver(thread: WorkerThread, blocking: Job): void {
    this.#blocked.add(thread);
    this.#active = this.#spare ?? this.#start();
    this.#spare = undefined;
    this.#requeue([...thread.inFlight.values()].filter((job) => job !== blocking && job.thread === thread));
  }

  #dropOverdue(): void {
    const oldestMs = monotonicMs() - MAX_WAIT_MS;
    this.#queued.remove((job) => {
      if (!job.isFinished && this.options.isOverdue(job)) job.stop({ cause: "waiting", candidate: 0 });
      else if (!job.isFinished && job.createdAtMs < oldestMs) job.fail(busy());
      return job.isFinished;
    });
  }
}

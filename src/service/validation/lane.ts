import { monotonicMs } from "../../kernel/clock.js";
import type { Job } from "./job.js";
import type { Answer, Phase } from "./protocol.js";
import { type Current, Thread } from "./thread.js";

/** How often a busy lane looks at its threads, in milliseconds. */
const TICK = 5;
/** Characters of one batch, beyond which the rest waits: reading them takes a few milliseconds at most. */
const MAX_BATCH = 512 * 1024;
/** A thread that is stuck for longer, in milliseconds, will rather be ended than come back: a new spare is worth its 55 ms. */
const RATHER_LOST = 50;
/** Milliseconds within which a validation that is told to stop does so, on a busy machine too; a new thread costs more. */
const STOPS_WITHIN = 250;

export interface LaneOptions {
  /** Jobs sent to a thread at once; the others wait until it has answered. */
  batch: number;
  /** Milliseconds that jobs wait behind a running one before they go to another thread. */
  patience: number;
  /** Threads at once, those included that are stuck. */
  maxThreads: number;
  /** Whether its threads give way where others want the processor: what is slow is not to slow down the rest. */
  yields: boolean;
  /** Whether a thread is kept ready to take over. */
  keepsSpare: boolean;
  /** Milliseconds that each phase of a job may take. */
  deadlines: Record<Phase, number>;
  /** Whether a job that waits or validates has been at it for too long, whatever its deadlines say. */
  isLate(job: Job): boolean;
  /** A job has run for longer than `patience`, and still does; called again and again until it ends. */
  onSlow(current: Current): void;
  /** A job was ended past its deadline, or has crashed its thread. */
  onStopped(job: Job, candidate: number): void;
  /** Whether a waiting job is not to run yet. */
  isHeld(job: Job): boolean;
  /** Takes a waiting job elsewhere; true where it did. */
  reroute(job: Job, from: Lane): boolean;
}

/**
 * A queue of jobs before one thread, with others to take its place. Where a job holds up those behind it, they move on to the
 * spare thread, which becomes the first; the one left behind comes back as a spare when its job ends, or is ended at the deadline.
 */
export class Lane {
  #waiting: Job[] = [];
  #first: Thread | undefined;
  #spare: Thread | undefined;
  readonly #stuck = new Set<Thread>();
  #timer: NodeJS.Timeout | undefined;
  #isFlushing = false;
  #failures = 0;

  constructor(readonly options: LaneOptions) {}

  submit(job: Job): void {
    this.#waiting.push(job);
    this.#flushSoon();
  }

  /** Starts the threads that the next job will want. */
  prepare(): void {
    this.#ensureThreads();
  }

  /** Ends all threads and gives up all jobs. */
  close(error: Error): void {
    clearInterval(this.#timer);
    for (const thread of this.#threads()) {
      thread.close();
      this.#waiting.push(...thread.inFlight.values());
    }
    this.#first = undefined;
    this.#spare = undefined;
    this.#stuck.clear();
    for (const job of this.#waiting.splice(0)) job.fail(error);
  }

  #threads(): Thread[] {
    return [this.#first, this.#spare, ...this.#stuck].filter((thread) => thread !== undefined);
  }

  /** Calls of one turn of the event loop go into one batch. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    this.#watch();
    this.#ensureThreads();
    const thread = this.#first;
    if (!thread?.isReady || thread.inFlight.size > 0) return;
    const jobs = this.#takeBatch();
    if (jobs.length > 0) thread.send(jobs);
  }

  #takeBatch(): Job[] {
    const jobs: Job[] = [];
    const rest: Job[] = [];
    let size = 0;
    for (const job of this.#waiting) {
      const isFull = jobs.length > 0 && (jobs.length >= this.options.batch || size + job.size > MAX_BATCH);
      if (isFull || this.options.isHeld(job)) rest.push(job);
      else if (!job.settled) {
        jobs.push(job);
        size += job.size;
      }
    }
    this.#waiting = rest;
    return jobs;
  }

  #ensureThreads(): void {
    const hasRoom = () => this.#threads().length < this.options.maxThreads;
    if (this.#first === undefined) {
      this.#first = this.#spare;
      this.#spare = undefined;
    }
    if (this.#first === undefined && hasRoom()) this.#first = this.#start();
    const mayReturn = [...this.#stuck].some((thread) => monotonicMs() - thread.sentAt < RATHER_LOST);
    if (this.options.keepsSpare && this.#spare === undefined && !mayReturn && hasRoom())
      this.#spare = this.#start();
  }

  #start(): Thread {
    const events = {
      onReport: (thread: Thread, answers: Answer[]) => this.#onReport(thread, answers),
      onGone: (thread: Thread, error: Error) => this.#onGone(thread, error),
    };
    return new Thread(events, this.options.yields);
  }

  #onReport(thread: Thread, answers: Answer[]): void {
    this.#failures = 0;
    for (const answer of answers) {
      const job = thread.inFlight.get(answer.id);
      thread.inFlight.delete(answer.id);
      if (job === undefined || job.settled) continue;
      if ("missing" in answer) {
        thread.forget(job.keys);
        if (job.thread === thread) this.#wait([job]);
      } else job.answer(answer);
    }
    if (thread.inFlight.size === 0 && this.#stuck.delete(thread)) this.#reuse(thread);
    this.#flush();
  }

  #reuse(thread: Thread): void {
    if (this.#first === undefined) this.#first = thread;
    else if (this.#spare === undefined) this.#spare = thread;
    else thread.close();
  }

  #onGone(thread: Thread, error: Error): void {
    const current = thread.current();
    this.#remove(thread);
    if (current) this.#stop(current.job, { cause: "crash", candidate: current.candidate });
    // A thread that cannot even start will not start the next time either.
    else if (!thread.isReady || ++this.#failures > 2)
      for (const job of this.#waiting.splice(0)) job.fail(error);
    this.#flush();
  }

  #remove(thread: Thread): void {
    thread.close();
    this.#stuck.delete(thread);
    if (this.#first === thread) this.#first = undefined;
    if (this.#spare === thread) this.#spare = undefined;
    this.#wait([...thread.inFlight.values()].filter((job) => job.thread === thread));
  }

  /** Puts jobs back before all others. */
  #wait(jobs: Job[]): void {
    const open = jobs.filter((job) => !job.settled);
    for (const job of open) job.thread = undefined;
    this.#waiting.unshift(...open);
  }

  #stop(job: Job, stop: Parameters<Job["stop"]>[0]): void {
    if (job.settled) return;
    job.stop(stop);
    this.options.onStopped(job, stop.candidate);
  }

  #watch(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  #tick(): void {
    const busy = this.#threads().filter((thread) => thread.inFlight.size > 0);
    if (busy.length === 0 && this.#waiting.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const thread of busy) this.#look(thread);
    if (this.options.keepsSpare) this.#ensureThreads();
    this.#giveUpWaiting();
    this.#waiting = this.#waiting.filter((job) => !this.options.reroute(job, this));
    this.#flush();
  }

  #look(thread: Thread): void {
    const current = thread.current();
    if (current === undefined) return;
    const { job, candidate, phase, spent } = current;
    if ((phase === "validating" && this.options.isLate(job)) || spent > this.options.deadlines[phase]) {
      this.#stop(job, { cause: phase, candidate });
      if (phase === "validating") thread.stop(job);
      if (phase !== "validating" || thread.stoppingFor(job) > STOPS_WITHIN) this.#remove(thread);
      return;
    }
    if (spent > this.options.patience) this.options.onSlow(current);
    const holdsUp = this.#waiting.length > 0 || thread.inFlight.size > 1;
    if (thread === this.#first && holdsUp && monotonicMs() - thread.sentAt > this.options.patience) {
      this.#moveOn(thread, current);
    }
  }

  #moveOn(thread: Thread, current: Current): void {
    if (this.#spare === undefined && this.#threads().length >= this.options.maxThreads) return;
    this.#stuck.add(thread);
    this.#first = this.#spare ?? this.#start();
    this.#spare = undefined;
    this.#wait([...thread.inFlight.values()].filter((job) => job !== current.job && job.thread === thread));
  }

  #giveUpWaiting(): void {
    this.#waiting = this.#waiting.filter((job) => {
      if (job.settled || !this.options.isLate(job)) return !job.settled;
      job.stop({ cause: "waiting", candidate: 0 });
      return false;
    });
  }
}

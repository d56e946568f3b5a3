import type { BatchedWrite } from "../engine.js";

export interface Entry {
  item: unknown;
  /** Monotonic time of the call. */
  queuedAtMs: number;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** One run of a `BatchedWrite`, with its items. */
export interface Job {
  /** Jobs of different keys take turns. The key of an account's writes is the account. */
  key: unknown;
  batch: BatchedWrite<never, unknown>;
  entries: Entry[];
  /** Whether later items may join this job. */
  isBatched: boolean;
}

/**
 * The jobs that wait for the writer. Keys take turns, so that the many or slow writes of one account delay a write of another by
 * little more than one of them.
 */
export class JobQueue {
  /** The jobs of each key in order of arrival. The key whose turn is next comes first. */
  private byKey = new Map<unknown, Job[]>();

  get isEmpty(): boolean {
    return this.byKey.size === 0;
  }

  push(job: Job): void {
    const jobs = this.byKey.get(job.key);
    if (jobs) jobs.push(job);
    else this.byKey.set(job.key, [job]);
  }

  /** Removes and returns up to `max` jobs, one of each key in turn. */
  take(max: number): Job[] {
    const taken: Job[] = [];
    // A key with more jobs goes to the end of the map, where this loop finds it again.
    for (const [key, jobs] of this.byKey) {
      if (taken.length === max) break;
      taken.push(jobs.shift()!);
      this.byKey.delete(key);
      if (jobs.length > 0) this.byKey.set(key, jobs);
    }
    return taken;
  }

  /**
   * Puts taken jobs back before the other jobs of their keys. Their keys have the next turns, except those that had one.
   * @param done the jobs that were taken with them and have run
   */
  putBack(jobs: readonly Job[], done: readonly Job[]): void {
    const byKey = new Map<unknown, Job[]>();
    for (const job of jobs) {
      const ofKey = byKey.get(job.key);
      if (ofKey) ofKey.push(job);
      else byKey.set(job.key, [job]);
    }
    for (const [key, later] of this.byKey) byKey.set(key, [...(byKey.get(key) ?? []), ...later]);
    for (const { key } of done) {
      const waiting = byKey.get(key);
      byKey.delete(key);
      if (waiting) byKey.set(key, waiting);
    }
    this.byKey = byKey;
  }
}

import { WireroomError } from "../../../src/contract/errors.js";

interface Job {
  start(): Promise<void>;
  refuse(): void;
}

export interface FairQueueLimits {
  /** Maximum number of jobs that run at the same time. */
  concurrency: number;
  /** Maximum number of jobs of one source that wait. */
  waitingPerSource: number;
  /** Maximum number of jobs that wait. */
  waiting: number;
}

/**
 * Runs costly jobs. The sources take turns, and one source runs one job at a time, so that the jobs of one source delay a job of
 * another by at most one job. If the queue is full, the source with the most waiting jobs loses its last one.
 */
export class FairQueue {
  /** The waiting jobs by source. The sources are in the order of their next turn. */
  private readonly waiting = new Map<string, Job[]>();
  private readonly running = new Set<string>();
  private size = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Runs a job when it is the turn of its source, and returns its result. Throws RATE_LIMITED if too many jobs wait. */
  run<Result>(source: string, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(tooMany());
      const jobs = this.waiting.get(source) ?? [];
      if (jobs.length >= this.limits.waitingPerSource) return refuse();
      if (this.size >= this.limits.waiting && !this.dropFromLongerThan(jobs.length + 1)) return refuse();
      const start = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      jobs.push({ start, refuse });
      this.waiting.set(source, jobs);
      this.size++;
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.running.size >= this.limits.concurrency) return;
    for (const [source, jobs] of this.waiting) {
      if (this.running.has(source)) continue;
      const job = jobs.shift()!;
      this.size--;
      this.running.add(source);
      this.waiting.delete(source);
      // The source goes to the end of the line.
      if (jobs.length > 0) this.waiting.set(source, jobs);
      void job.start().then(() => {
        this.running.delete(source);
        this.startNext();
      });
      return;
    }
  }

  private dropFromLongerThan(length: number): boolean {
    let longest: Job[] = [];
    for (const jobs of this.waiting.values()) if (jobs.length > longest.length) longest = jobs;
    if (longest.length <= length) return false;
    longest.pop()!.refuse();
    this.size--;
    return true;
  }
}

function tooMany(): WireroomError {
  return new WireroomError("RATE_LIMITED", "too many sign-ins at the same time; try again", {
    retry_after: 5,
  });
}

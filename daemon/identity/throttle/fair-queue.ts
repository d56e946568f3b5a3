/**
 * A fair queue for expensive jobs. Each job belongs to nested groups, such as the networks around its source.
 * A job waits, runs when the queue selects it, and then ends. If too many jobs wait, the newest job of the
 * largest group is rejected.
 *
 * At each level, the queue selects the group with the fewest running jobs. Among these, it selects the group
 * that was selected least recently. So a new group goes first, and many subgroups within one wide group get
 * no more jobs than that wide group. Jobs are few and slow, so groups are counted again at each selection.
 */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../../src/contract/errors.js";

export interface FairQueueLimits {
  /** Maximum number of running jobs. An innermost group runs at most one job at a time. */
  concurrency: number;
  /** Maximum number of running jobs in any group that is not innermost. */
  runningPerGroup: number;
  /** Maximum number of waiting jobs in an innermost group. */
  waitingPerSource: number;
  /** Maximum number of jobs that wait. */
  waiting: number;
}

/** Maximum number of groups whose last selection is remembered. */
const MAX_GROUPS = 50_000;

interface Job {
  /** The keys of the job's groups, widest first. */
  groups: readonly string[];
  start(): Promise<void>;
  refuse(): void;
}

type Compare = (a: string, b: string) => number;

export class FairQueue {
  /** In the order of arrival. */
  private waiting: readonly Job[] = [];
  private running: readonly Job[] = [];
  /** When each group was last selected, as the value of `turns`. It is kept after the group becomes empty. */
  private readonly lastTurns = new LRUCache<string, number>({
    maxSize: MAX_GROUPS,
    sizeCalculation: () => 1,
  });
  private turns = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /**
   * Runs a job when the queue selects it, and returns the result. Throws RATE_LIMITED if too many jobs wait.
   * @param path the names of the job's groups, widest first
   */
  run<Result>(path: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const groups = path.map((_, index) => path.slice(0, index + 1).join("\n"));
    return new Promise((resolve, reject) => {
      const start = () => work().then(resolve, reject);
      const job = { groups, start, refuse: () => reject(tooMany()) };
      this.waiting = [...this.waiting, job];
      if (countOf(this.waiting, groups.at(-1)!) > this.limits.waitingPerSource) this.refuse(job);
      else if (this.waiting.length > this.limits.waiting) this.refuse(this.newestOfLargest());
      this.startNext();
    });
  }

  private startNext(): void {
    const { concurrency, runningPerGroup } = this.limits;
    if (this.running.length >= concurrency) return;
    const ready = this.waiting.filter(({ groups }) =>
      groups.every((group, index) => {
        const isInnermost = index === groups.length - 1;
        return countOf(this.running, group) < (isInnermost ? 1 : runningPerGroup);
      }),
    );
    const job = firstOf(
      ready,
      (a, b) => countOf(this.running, a) - countOf(this.running, b) || this.lastTurn(a) - this.lastTurn(b),
    );
    if (!job) return;
    this.waiting = without(this.waiting, job);
    this.running = [...this.running, job];
    this.turns++;
    for (const group of job.groups) this.lastTurns.set(group, this.turns);
    void job.start().then(() => {
      this.running = without(this.running, job);
      this.startNext();
    });
  }

  /**
   * Returns the newest job of the largest group. Of equal groups, the most recently selected group counts.
   */
  private newestOfLargest(): Job {
    const { waiting } = this;
    const compare: Compare = (a, b) =>
      countOf(waiting, b) - countOf(waiting, a) || this.lastTurn(b) - this.lastTurn(a);
    return firstOf(waiting.toReversed(), compare)!;
  }

  private refuse(job: Job): void {
    this.waiting = without(this.waiting, job);
    job.refuse();
  }

  private lastTurn(group: string): number {
    return this.lastTurns.get(group) ?? 0;
  }
}

/** Returns the first job, choosing the first group by `compare` at each level, from the widest inward. */
function firstOf(jobs: readonly Job[], compare: Compare): Job | undefined {
  let left = jobs;
  for (let level = 0; left[0] && level < left[0].groups.length; level++) {
    const groups = left.map((job) => job.groups[level]!);
    const first = groups.reduce((best, group) => (compare(group, best) < 0 ? group : best));
    left = left.filter((job) => job.groups[level] === first);
  }
  return left[0];
}

function countOf(jobs: readonly Job[], group: string): number {
  return jobs.filter(({ groups }) => groups.includes(group)).length;
}

function without(jobs: readonly Job[], job: Job): readonly Job[] {
  return jobs.filter((each) => each !== job);
}

function tooMany(): WireroomError {
  return new WireroomError("RATE_LIMITED", "too many sign-ins at the same time; try again", {
    retry_after: 5,
  });
}

/**
 * A queue of costly jobs. Each job belongs to nested groups, such as the networks of its source. A job waits,
 * runs once it is the turn of all of its groups, and then ends. If too many jobs wait, the largest group
 * loses its newest one, which is refused.
 *
 * The groups within a group take turns: first the one with the fewest running jobs, and among these the one
 * whose last turn is the longest ago. So a group without an earlier turn waits for no other that had one, and
 * many groups within one wide group get no more turns than it. There are so few jobs, and each takes so long,
 * that they are counted anew for each turn.
 */
import { LRUCache } from "lru-cache";
import { WireroomError } from "../../../src/contract/errors.js";

export interface FairQueueLimits {
  /** Maximum number of jobs that run at the same time. Of an innermost group, only one runs. */
  concurrency: number;
  /** Maximum number of jobs of any other group that run at the same time. */
  runningPerGroup: number;
  /** Maximum number of jobs of an innermost group that wait. */
  waitingPerSource: number;
  /** Maximum number of jobs that wait. */
  waiting: number;
}

/** Maximum number of groups whose last turn is remembered. */
const MAX_GROUPS = 50_000;

interface Job {
  /** The keys of its groups, from the widest. */
  groups: readonly string[];
  start(): Promise<void>;
  refuse(): void;
}

type Compare = (a: string, b: string) => number;

export class FairQueue {
  /** In the order of arrival. */
  private waiting: readonly Job[] = [];
  private running: readonly Job[] = [];
  /** The number of the last turn of each group, even after it has emptied. */
  private readonly lastTurns = new LRUCache<string, number>({
    maxSize: MAX_GROUPS,
    sizeCalculation: () => 1,
  });
  private turns = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /**
   * Runs a job when it is its turn, and returns its result. Throws RATE_LIMITED if too many jobs wait.
   * @param path the names of the groups of the job, from the widest
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

  /** Of two groups of the same size, the one with the later turn counts as larger. */
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

/** Returns the first job of the group that comes first, of the one that comes first within it, and so on. */
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

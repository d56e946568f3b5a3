import { LRUCache } from "lru-cache";
import { WireroomError } from "../../../src/contract/errors.js";

/**
 * A fair queue of costly jobs. Each job belongs to nested groups, such as the networks that contain its
 * source. Groups take turns: the group with the fewest running jobs comes first, and among those the group
 * whose last turn is longest ago. Many small groups in one large group therefore get no more turns than the
 * large group.
 *
 * If too many jobs wait, the newest job of the largest group is refused.
 */
export class FairQueue {
  private readonly root = new Group("");
  /** The number of each group's last turn, kept even after the group is removed. */
  private readonly lastTurns = new LRUCache<string, number>({
    maxSize: MAX_GROUPS,
    sizeCalculation: () => 1,
  });
  private turns = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /**
   * Runs a job when it is the job's turn. Throws RATE_LIMITED if too many jobs wait.
   * @param path the names of the job's groups, from the widest to the innermost
   */
  run<Result>(path: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const groups = this.root.open(path);
      const start = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      groups.at(-1)!.jobs.push({ start, refuse: () => reject(tooMany()) });
      for (const group of groups) group.waiting++;
      if (groups.at(-1)!.waiting > this.limits.waitingPerSource) this.refuseNewest(groups);
      else if (this.root.waiting > this.limits.waiting) this.refuseNewest(this.largestGroups());
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.root.running >= this.limits.concurrency) return;
    const groups = this.nextTurn(this.root);
    if (!groups) return;
    this.turns++;
    for (const group of groups) {
      group.waiting--;
      group.running++;
      this.lastTurns.set(group.key, this.turns);
    }
    const job = groups.at(-1)!.jobs.shift()!;
    void job.start().then(() => {
      for (const group of groups) group.running--;
      close(groups);
      this.startNext();
    });
  }

  /**
   * Returns the nested groups that contain the next job, beginning with `group`. Returns undefined if no job
   * may run now.
   */
  private nextTurn(group: Group): Group[] | undefined {
    if (group.jobs.length > 0) return group.running === 0 ? [group] : undefined;
    if (group !== this.root && group.running >= this.limits.runningPerGroup) return undefined;
    const candidates = [...group.groups.values()]
      .filter(({ waiting }) => waiting > 0)
      .sort((a, b) => a.running - b.running || this.lastTurn(a.key) - this.lastTurn(b.key));
    for (const inner of candidates) {
      const groups = this.nextTurn(inner);
      if (groups) return [group, ...groups];
    }
    return undefined;
  }

  /**
   * Returns the largest group, the largest group within it, and so on. Among equals, the later turn counts as
   * larger.
   */
  private largestGroups(): Group[] {
    const groups = [this.root];
    for (let group = this.root; group.jobs.length === 0; groups.push(group)) {
      const [first, ...others] = [...group.groups.values()];
      group = others.reduce((largest, next) => (this.isSmaller(next, largest) ? largest : next), first!);
    }
    return groups;
  }

  private isSmaller(a: Group, b: Group): boolean {
    return a.waiting < b.waiting || (a.waiting === b.waiting && this.lastTurn(a.key) < this.lastTurn(b.key));
  }

  private refuseNewest(groups: readonly Group[]): void {
    groups.at(-1)!.jobs.pop()!.refuse();
    for (const group of groups) group.waiting--;
    close(groups);
  }

  private lastTurn(key: string): number {
    return this.lastTurns.get(key) ?? 0;
  }
}

export interface FairQueueLimits {
  /** Maximum number of running jobs. An innermost group runs only one at a time. */
  concurrency: number;
  /** Maximum number of running jobs in a group that contains groups. */
  runningPerGroup: number;
  waitingPerSource: number;
  waiting: number;
}

const MAX_GROUPS = 50_000;

interface Job {
  start(): Promise<void>;
  refuse(): void;
}

/** An innermost group contains jobs. Any other group contains groups. */
class Group {
  readonly groups = new Map<string, Group>();
  readonly jobs: Job[] = [];
  waiting = 0;
  running = 0;

  /** @param key the names of the group and of the groups that contain it */
  constructor(readonly key: string) {}

  open(path: readonly string[]): Group[] {
    const opened: Group[] = [this];
    for (const name of path) {
      const outer = opened.at(-1)!;
      const key = keyOf(outer.key, name);
      const group = outer.groups.get(key) ?? new Group(key);
      outer.groups.set(key, group);
      opened.push(group);
    }
    return opened;
  }
}

/** Removes nested groups that have no jobs. */
function close(groups: readonly Group[]): void {
  groups.forEach((group, index) => {
    const inner = groups[index + 1];
    if (inner && inner.waiting === 0 && inner.running === 0) group.groups.delete(inner.key);
  });
}

function keyOf(outer: string, name: string): string {
  return `${outer}\n${name}`;
}

function tooMany(): WireroomError {
  return new WireroomError("RATE_LIMITED", "too many sign-ins at the same time; try again", {
    retry_after: 5,
  });
}

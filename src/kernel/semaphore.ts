/** Runs at most a number of tasks at a time, one by default, in the order of their calls. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly places = 1) {
    this.free = places;
  }

  /** True if no task runs or waits. */
  get isIdle(): boolean {
    return this.free === this.places;
  }

  /** Runs the task as soon as a place is free, and returns its result. */
  async run<Result>(task: () => Result | Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}

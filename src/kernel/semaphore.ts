/** Runs tasks in the order of their calls. Limits how many tasks run at the same time (one by default). */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly places = 1) {
    this.free = places;
  }

  get isIdle(): boolean {
    return this.free === this.places;
  }

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

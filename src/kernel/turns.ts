/** Lets tasks of one key run one after the other, in the order of asking; those of other keys are not held up. */
export class Turns {
  /** The end of the last task that was asked for, by key. */
  private readonly ends = new Map<string, Promise<void>>();

  /** Gives what the task gives, or throws what it throws; the next one runs either way. */
  async take<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.ends.get(key);
    const result = before ? before.then(task) : task();
    const end = result.then(
      () => undefined,
      () => undefined,
    );
    this.ends.set(key, end);
    try {
      return await result;
    } finally {
      if (this.ends.get(key) === end) this.ends.delete(key);
    }
  }
}

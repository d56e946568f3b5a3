import { Mutex } from "async-mutex";

/** Runs the tasks of one key one after another, in call order. Tasks of different keys run concurrently. */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Mutex>();

  /**
   * Runs a task after the earlier tasks of the same key, and returns its result. The next task runs even if this one
   * fails.
   */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    let mutex = this.mutexes.get(key);
    if (!mutex) {
      mutex = new Mutex();
      this.mutexes.set(key, mutex);
    }
    try {
      return await mutex.runExclusive(task);
    } finally {
      // The mutex stays locked while other tasks wait for it. It is deleted only when no task uses it.
      if (!mutex.isLocked()) this.mutexes.delete(key);
    }
  }
}

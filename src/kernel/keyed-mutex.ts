import { Semaphore } from "./semaphore.js";

export interface MaxWait {
  ms: number;
  error(): Error;
}

/** Runs tasks with the same key one at a time, in call order. Tasks with different keys run concurrently. */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Semaphore>();

  /**
   * Runs a task after all earlier tasks with the same key, and returns its result. If the task fails, the
   * next task still runs. A task that waits longer than `maxWait` rejects and never runs.
   */
  run<Result>(key: string, task: () => Promise<Result>, maxWait?: MaxWait): Promise<Result> {
    if (!maxWait) return this.runExclusive(key, task);
    let waiting: typeof task | undefined = task;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // Release the task now: its closure may hold much memory, and the mutex may become free much later.
        waiting = undefined;
        reject(maxWait.error());
      }, maxWait.ms).unref();
      const begin = async () => {
        clearTimeout(timer);
        if (waiting) resolve(await waiting());
      };
      this.runExclusive(key, begin).catch(reject);
    });
  }

  private async runExclusive<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    let mutex = this.mutexes.get(key);
    if (!mutex) {
      mutex = new Semaphore();
      this.mutexes.set(key, mutex);
    }
    try {
      return await mutex.run(task);
    } finally {
      if (mutex.isIdle) this.mutexes.delete(key);
    }
  }
}

import { Mutex } from "async-mutex";

/** The longest wait for a turn, and the error after it. */
export interface MaxWait {
  ms: number;
  error(): Error;
}

/** Runs the tasks of one key one after another, in call order. Tasks of different keys run concurrently. */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Mutex>();

  /**
   * Runs a task after the earlier tasks of the same key, and returns its result. The next task runs even if
   * this one fails. A task that has waited longer than `maxWait` fails and does not run.
   */
  run<Result>(key: string, task: () => Promise<Result>, maxWait?: MaxWait): Promise<Result> {
    if (!maxWait) return this.runExclusive(key, task);
    let waiting: typeof task | undefined = task;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // The task may hold much memory, and its turn may come much later.
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

import { Mutex } from "async-mutex";

/** Runs tasks of one key one after the other, in the order of the calls. Tasks of other keys do not wait for them. */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Mutex>();

  /** Settles as the task does; after a failure, too, the next task runs. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    let mutex = this.mutexes.get(key);
    if (!mutex) {
      mutex = new Mutex();
      this.mutexes.set(key, mutex);
    }
    try {
      return await mutex.runExclusive(task);
    } finally {
      // Released to the next waiter, it is still locked: no call can find a mutex that others have forgotten.
      if (!mutex.isLocked()) this.mutexes.delete(key);
    }
  }
}

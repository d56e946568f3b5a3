import type { Job } from "./worker-thread.js";

/** A queue of jobs that serves accounts in turns, so that the jobs of one account cannot delay those of others. */
export class FairQueue {
  /** The jobs of each account in order of arrival. The account whose turn is next comes first. */
  readonly #byAccount = new Map<string, Job[]>();

  get isEmpty(): boolean {
    return this.#byAccount.size === 0;
  }

  push(job: Job): void {
    const jobs = this.#byAccount.get(job.account);
    if (jobs) jobs.push(job);
    else this.#byAccount.set(job.account, [job]);
  }

  /** Puts jobs back before the other jobs of their accounts. */
  putBack(jobs: readonly Job[]): void {
    for (const job of jobs.toReversed()) {
      this.#byAccount.set(job.account, [job, ...(this.#byAccount.get(job.account) ?? [])]);
    }
  }

  /** Removes and returns the next job for which `mayRun` returns true. The turn of its account is then over. */
  take(mayRun: (job: Job) => boolean): Job | undefined {
    for (const [account, jobs] of this.#byAccount) {
      const index = jobs.findIndex(mayRun);
      if (index < 0) continue;
      const [job] = jobs.splice(index, 1);
      this.#byAccount.delete(account);
      if (jobs.length > 0) this.#byAccount.set(account, jobs);
      return job;
    }
    return undefined;
  }

  has(mayRun: (job: Job) => boolean): boolean {
    for (const jobs of this.#byAccount.values()) if (jobs.some(mayRun)) return true;
    return false;
  }

  /** Removes the jobs for which `isGone` returns true. */
  remove(isGone: (job: Job) => boolean): void {
    for (const [account, jobs] of this.#byAccount) {
      const rest = jobs.filter((job) => !isGone(job));
      if (rest.length > 0) this.#byAccount.set(account, rest);
      else this.#byAccount.delete(account);
    }
  }
}

import { uptimeMs } from "../../kernel/clock.js";

/**
 * Counts waiting calls, and measures how long a queue has not been empty. A queue that empties regularly only
 * absorbs bursts, however long it gets. A queue that never empties is overloaded (a standing queue, RFC
 * 8289).
 */
export class WaitingCalls {
  private count = 0;
  private emptyAtMs = 0;
  /** Value of `emptyAtMs` before the last removal, so that `putBack` can restore it. */
  private emptyBeforeMs = 0;

  add(calls = 1): void {
    if (this.count === 0) this.emptyAtMs = uptimeMs();
    this.count += calls;
  }

  /** Counts calls that stop waiting because they start to run. */
  remove(calls = 1): void {
    this.count -= calls;
    this.emptyBeforeMs = this.emptyAtMs;
  }

  /** Undoes the last `remove` for calls that could not run in time. */
  putBack(calls: number): void {
    this.count += calls;
    this.emptyAtMs = this.emptyBeforeMs;
  }

  /**
   * Milliseconds since the queue was last empty; 0 if it is empty now. Never less than the oldest call's
   * wait.
   */
  get standingMs(): number {
    return this.count === 0 ? 0 : uptimeMs() - this.emptyAtMs;
  }
}

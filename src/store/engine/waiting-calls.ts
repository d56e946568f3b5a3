import { uptimeMs } from "../../kernel/clock.js";

/**
 * Counts the calls that wait for their turn. A queue that repeatedly becomes empty only absorbs bursts,
 * however long it gets. One that never does is overloaded (a standing queue, RFC 8289).
 */
export class WaitingCalls {
  private count = 0;
  private emptyAtMs = 0;
  /** The value of `emptyAtMs` before the last removal. */
  private emptyBeforeMs = 0;

  add(calls = 1): void {
    if (this.count === 0) this.emptyAtMs = uptimeMs();
    this.count += calls;
  }

  /** Counts calls that no longer wait, because their turn has come. */
  remove(calls = 1): void {
    this.count -= calls;
    this.emptyBeforeMs = this.emptyAtMs;
  }

  /** Counts calls again that were removed last, because there was no time for them. */
  putBack(calls: number): void {
    this.count += calls;
    this.emptyAtMs = this.emptyBeforeMs;
  }

  /** Milliseconds since the last moment in which no call waited; at least the wait of the oldest call. */
  get standingMs(): number {
    return this.count === 0 ? 0 : uptimeMs() - this.emptyAtMs;
  }
}

import { monotonicMs } from "../../kernel/clock.js";

/**
 * Stops the running statement of a connection when its time is up. SQLite runs the statements of a connection
 * one after another, so the running one began when the one before it ended, or when the connection was last
 * idle.
 */
export class StatementWatch {
  /** Number of statements that are running or waiting. */
  private statements = 0;
  private runningSinceMs = 0;
  /**
   * One timer at most, which outlives the statement: a timer for each would cost more than the statement is
   * watched for.
   */
  private timer: NodeJS.Timeout | undefined;

  /** @param interrupt stops the statement that is running; those that wait run after it */
  constructor(
    private readonly maxMs: number,
    private readonly interrupt: () => void,
  ) {}

  begin(): void {
    if (this.statements++ > 0) return;
    this.runningSinceMs = monotonicMs();
    if (!this.timer) this.checkIn(this.maxMs);
  }

  end(): void {
    this.statements--;
    this.runningSinceMs = monotonicMs();
  }

  private get leftMs(): number {
    return this.runningSinceMs + this.maxMs - monotonicMs();
  }

  private checkIn(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.statements === 0) return;
      if (this.leftMs > 0) return this.checkIn(this.leftMs);
      // The end of the statement is reported first if it has ended while the event loop was busy.
      setImmediate(() => {
        if (this.statements > 0 && this.leftMs <= 0) this.interrupt();
      });
      this.checkIn(this.maxMs);
    }, delayMs).unref();
  }
}

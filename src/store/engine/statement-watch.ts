import { monotonicMs } from "../../kernel/clock.js";

/**
 * Stops a connection's running statement when it exceeds its time limit. SQLite runs a connection's
 * statements one after another. So a statement's time starts when the previous statement ends, or when it is
 * queued on an idle connection.
 */
export class StatementWatch {
  /** Number of statements that are running or waiting. */
  private statements = 0;
  private runningSinceMs = 0;
  /**
   * One timer for all statements of the connection. It keeps running after a statement ends, because starting
   * a timer for each short statement would be too costly.
   */
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param maxMs maximum time of a statement
   * @param interrupt stops the running statement; queued statements still run after it
   */
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
      // If the statement ended while the event loop was busy, let its result arrive before interrupting.
      setImmediate(() => {
        if (this.statements > 0 && this.leftMs <= 0) this.interrupt();
      });
      this.checkIn(this.maxMs);
    }, delayMs).unref();
  }
}

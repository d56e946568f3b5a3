/** Measures with a timer how late the event loop is. Every request is delayed by this time. */
import { uptimeMs } from "../../src/kernel/clock.js";

/** Interval of the timer. A tick costs so little CPU time that 50 a second do not matter. */
const PERIOD_MS = 20;

export class EventLoopDelay {
  /** Called with each measured delay in milliseconds. */
  onDelay: (delayMs: number) => void = () => undefined;
  private readonly timer: NodeJS.Timeout;
  private tickedAtMs = uptimeMs();
  private lateSinceMs: number | undefined;

  /** @param lateMs a tick with a longer delay counts as late */
  constructor(private readonly lateMs: number) {
    this.timer = setInterval(() => this.tick(), PERIOD_MS);
    this.timer.unref();
  }

  /** Milliseconds since a tick was last on time. A single late tick does not count. */
  get standingMs(): number {
    return this.lateSinceMs === undefined ? 0 : uptimeMs() - this.lateSinceMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const atMs = uptimeMs();
    const delayMs = Math.max(0, atMs - this.tickedAtMs - PERIOD_MS);
    this.tickedAtMs = atMs;
    if (delayMs <= this.lateMs) this.lateSinceMs = undefined;
    else this.lateSinceMs ??= atMs;
    this.onDelay(delayMs);
  }
}

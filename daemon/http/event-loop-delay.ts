/** Measures by a timer how late the event loop is, which delays all requests. */
import { uptimeMs } from "../../src/kernel/clock.js";

/** A tick costs 2 µs, so 50 a second take a ten-thousandth of a processor. */
const PERIOD_MS = 20;

export class EventLoopDelay {
  /** Receives every measured delay in milliseconds. */
  onDelay: (delayMs: number) => void = () => undefined;
  private readonly timer: NodeJS.Timeout;
  private tickedAtMs = uptimeMs();
  private lateSinceMs: number | undefined;

  /** @param lateMs a longer delay counts for `standingMs` */
  constructor(private readonly lateMs: number) {
    this.timer = setInterval(() => this.tick(), PERIOD_MS);
    this.timer.unref();
  }

  /** Milliseconds for which every tick has been late. A single long delay does not count. */
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

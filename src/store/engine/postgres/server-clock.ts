/**
 * Synchronises this process's clock with the database server's clock, which all daemons share. So rate limits
 * and expiry times do not depend on local clocks. Between synchronisations, the process adds the time that
 * its monotonic clock measures.
 */
import { monotonicMs, setClock } from "../../../kernel/clock.js";

/** Maximum drift between two clocks, as a fraction of the elapsed time. */
const MAX_DRIFT = 1 / 1_000;

interface Reading {
  /** The server's time in milliseconds since 1970, when the local monotonic clock showed `receivedAt`. */
  time: number;
  receivedAt: number;
  /** Maximum error of `time`: half of the round-trip time. */
  uncertaintyMs: number;
}

export class ServerClock {
  private reading: Reading | undefined;

  get isKnown(): boolean {
    return this.reading !== undefined;
  }

  /** @param query returns the server time in milliseconds since 1970 */
  async synchronise(query: () => Promise<number>): Promise<void> {
    const sentAt = monotonicMs();
    const time = await query();
    const receivedAt = monotonicMs();
    const uncertaintyMs = (receivedAt - sentAt) / 2;
    this.apply({ time: time + uncertaintyMs, receivedAt, uncertaintyMs });
  }

  /** Keeps the current reading if it is more precise, unless the server's clock was changed. */
  private apply(reading: Reading): void {
    const { reading: current } = this;
    if (current) {
      const elapsed = reading.receivedAt - current.receivedAt;
      const uncertaintyMs = current.uncertaintyMs + elapsed * MAX_DRIFT;
      const difference = Math.abs(current.time + elapsed - reading.time);
      const agrees = difference <= uncertaintyMs + reading.uncertaintyMs;
      if (reading.uncertaintyMs > uncertaintyMs && agrees) return;
    }
    this.reading = reading;
    setClock(() => reading.time + monotonicMs() - reading.receivedAt);
  }
}

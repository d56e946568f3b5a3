/**
 * The clock of the database's server, which all daemons go by: limits are exact however wrong the daemons' own clocks are.
 * It is asked now and then, and goes on by this process's monotonic clock in between.
 */
import { keepTimeBy, monotonicMs } from "../../../kernel/clock.js";

/** What clocks may differ by after a while, as a part of it: far more than real ones do. */
const DRIFT = 1 / 1_000;

interface Reading {
  /** Milliseconds since 1970, when this process's monotonic clock showed `heardAt`. */
  time: number;
  heardAt: number;
  /** How far off that may be: half of the way to the server and back. */
  doubt: number;
}

export class ServerClock {
  private reading: Reading | undefined;

  /** Asks for the time through `query`, which gives the server's milliseconds since 1970. Throws what that throws. */
  async ask(query: () => Promise<number>): Promise<void> {
    const askedAt = monotonicMs();
    const time = await query();
    const heardAt = monotonicMs();
    const doubt = (heardAt - askedAt) / 2;
    this.hear({ time: time + doubt, heardAt, doubt });
  }

  /** Goes by a reading that is at least as good as the one before, or that contradicts it: then the server's clock was set. */
  private hear(reading: Reading): void {
    const { reading: before } = this;
    if (before) {
      const elapsed = reading.heardAt - before.heardAt;
      const doubt = before.doubt + elapsed * DRIFT;
      const difference = Math.abs(before.time + elapsed - reading.time);
      if (reading.doubt > doubt && difference <= doubt + reading.doubt) return;
    }
    this.reading = reading;
    keepTimeBy(() => reading.time + monotonicMs() - reading.heardAt);
  }
}

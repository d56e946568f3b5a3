import type { WireroomError } from "../../../sdk/src/index.js";
import { now } from "../../clock.js";

/** Interval between two warnings during one outage. */
const INTERVAL_MS = 5 * 60_000;

/** Warns when the daemon becomes unreachable, and again every five minutes until it answers. */
export class Outage {
  #warnedAt: number | undefined;

  /** @param clock returns milliseconds; tests replace it */
  constructor(
    private readonly warn: (text: string) => void,
    private readonly clock: () => number = now,
  ) {}

  /** Reports a failed attempt. */
  report(error: WireroomError): void {
    const time = this.clock();
    if (this.#warnedAt !== undefined && Math.abs(time - this.#warnedAt) < INTERVAL_MS) return;
    this.#warnedAt = time;
    this.warn(`${error.message}; waiting for the daemon (stop with Ctrl-C)`);
  }

  /** Reports that the daemon has answered. */
  end(): void {
    this.#warnedAt = undefined;
  }
}

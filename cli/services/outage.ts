import type { WireroomError } from "../../sdk/src/api.js";
import { now } from "../clock.js";
import { EXIT, exitCodeOf } from "../exit-codes.js";
import { Failure } from "../failure.js";

const INTERVAL_MS = 5 * 60_000;

export class Outage {
  #warnedAt: number | undefined;

  constructor(
    private readonly url: string,
    private readonly warn: (text: string) => void,
    private readonly clock: () => number = now,
  ) {}

  report(error: WireroomError): void {
    const time = this.clock();
    if (this.#warnedAt !== undefined && Math.abs(time - this.#warnedAt) < INTERVAL_MS) return;
    this.#warnedAt = time;
    // A `Failure` as the cause means that the identity provider, not the daemon, does not respond.
    const isSilent = exitCodeOf(error.code) === EXIT.unreachable && !(error.cause instanceof Failure);
    const problem = isSilent ? `the daemon at ${this.url} does not answer` : error.message;
    this.warn(`${problem}; waiting for it (Ctrl-C stops)`);
  }

  end(): void {
    if (this.#warnedAt !== undefined) this.warn("the daemon answers again");
    this.#warnedAt = undefined;
  }
}

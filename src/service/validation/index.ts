import { EventLoopValidator } from "./event-loop-validator.js";
import { ValidatorPool } from "./pool.js";
import type { Candidate, Verdict } from "./protocol.js";

export type { Candidate, Verdict } from "./protocol.js";

/**
 * Runs untrusted JSON Schemas without blocking other requests. Small jobs run on the event loop
 * (`event-loop-validator.ts`), all others in worker threads (`pool.ts`).
 */
export class Validators extends ValidatorPool {
  readonly #eventLoop = new EventLoopValidator();

  /** Figures for `GET /metrics`. */
  get statistics() {
    const { unfinishedJobs, stoppedJobs } = this;
    return { unfinishedJobs, stoppedJobs, compiledSchemas: this.#eventLoop.lookups };
  }

  override async validate(
    account: string,
    candidates: readonly Candidate[],
    payload: unknown,
  ): Promise<Verdict> {
    const text = JSON.stringify(payload) ?? "null";
    return (
      this.#eventLoop.validate(candidates, payload, text.length) ??
      (await super.validate(account, candidates, payload, text))
    );
  }
}

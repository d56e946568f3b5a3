import type { Reason } from "../../contract/errors.js";
import { EventLoopValidator } from "./event-loop-validator.js";
import { ValidatorPool } from "./pool.js";
import type { Candidate, Verdict } from "./protocol.js";

export type { Candidate, Verdict } from "./protocol.js";

/**
 * Runs untrusted JSON Schemas without blocking other requests. Small jobs run on the event loop
 * (`event-loop-validator.ts`), all others in worker threads (`pool.ts`).
 */
export class Validators {
  readonly #eventLoop = new EventLoopValidator();
  readonly #pool = new ValidatorPool();

  /** Figures for `GET /metrics`. */
  get statistics() {
    const { unfinishedJobs, stoppedJobs } = this.#pool;
    return { unfinishedJobs, stoppedJobs, compiledSchemas: this.#eventLoop.lookups };
  }

  /** See `WorkLimits.reserve`. */
  reserve(account: string, characters: number): () => void {
    return this.#pool.reserve(account, characters);
  }

  /** See `ValidatorPool.check`. */
  check(account: string, document: unknown): Promise<Reason[]> {
    return this.#pool.check(account, document);
  }

  /** See `ValidatorPool.compare`. */
  compare(account: string, older: object, newer: object): Promise<Reason[]> {
    return this.#pool.compare(account, older, newer);
  }

  async validate(account: string, candidates: readonly Candidate[], payload: unknown): Promise<Verdict> {
    const text = JSON.stringify(payload) ?? "null";
    return (
      this.#eventLoop.validate(candidates, payload, text.length) ??
      (await this.#pool.validate(account, candidates, payload, text))
    );
  }

  close(): void {
    this.#pool.close();
  }
}

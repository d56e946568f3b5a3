import type { Reason } from "../../contract/errors.js";
import { ValidatorPool } from "./pool.js";
import type { Candidate, Verdict } from "./protocol.js";
import { QuickValidator } from "./quick.js";

export type { Candidate, Verdict } from "./protocol.js";

/**
 * Checks, compares and validates under schemas of other people, so that no document and no payload can slow down another request:
 * `pool.ts` schedules jobs to the queues of `job-queue.ts`, each before worker threads that run `worker.ts`.
 */
export class Validators {
  readonly #quick = new QuickValidator();
  readonly #pool = new ValidatorPool();

  /** As `ValidatorPool.check`. */
  check(document: unknown): Promise<Reason[]> {
    return this.#pool.check(document);
  }

  /** As `ValidatorPool.compare`. */
  compare(older: object, newer: object): Promise<Reason[]> {
    return this.#pool.compare(older, newer);
  }

  /** As `ValidatorPool.validate`, but on the event loop if that takes less time than a message to a thread. */
  async validate(candidates: readonly Candidate[], payload: unknown): Promise<Verdict> {
    const text = JSON.stringify(payload) ?? "null";
    return (
      this.#quick.validate(candidates, payload, text.length) ??
      (await this.#pool.validate(candidates, payload, text))
    );
  }

  close(): void {
    this.#pool.close();
  }
}

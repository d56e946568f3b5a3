import type { Reason } from "../../contract/errors.js";
import { ValidatorPool } from "./pool.js";
import type { Candidate, Verdict } from "./protocol.js";
import { QuickValidator } from "./quick.js";

export type { Candidate, Verdict } from "./protocol.js";

/** Runs schemas of others, so that no document and no payload can hold up anyone else's request. */
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

  /** As `ValidatorPool.validate`, at once where that takes less time than asking a thread. */
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

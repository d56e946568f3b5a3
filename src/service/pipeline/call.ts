/** Types of one call of an operation, and of its result. */
import type { AuthOf, Input, OperationId } from "../../contract/index.js";
import type { LimitState } from "../../contract/limits.js";
import type { JsonText } from "../../kernel/raw-json.js";
import type { Agent, Human } from "./caller.js";
import type { Context } from "./context.js";

export type ContextOf<Id extends OperationId> = Context<AuthOf<Id> extends "key" ? Agent : Human>;

/** One call of a write operation. */
export interface Call<Id extends OperationId = OperationId> {
  ctx: ContextOf<Id>;
  input: Input<Id>;
  idempotency: IdempotencyRequest | undefined;
}

/**
 * The value of an `Idempotency-Key` header, and a hash that shows whether a later request with the same key
 * is different.
 */
export interface IdempotencyRequest {
  key: string;
  /** SHA-256 of the input as canonical JSON. */
  hash: string;
}

/** Result of an operation. It contains `body`, `lines` or `error`, and the caller's rate-limit states. */
export interface Outcome {
  /** The response body as JSON. */
  body?: JsonText;
  /** The lines of a streaming operation, each as JSON. Such an operation has no `body`. */
  lines?: AsyncIterable<string>;
  error?: Error;
  limits: LimitState[];
}

/** Result of a write. If `limits` is absent, dispatch reads the rate limits from the database. */
export type WriteOutcome = Omit<Outcome, "limits" | "lines"> & { limits?: LimitState[] };

/**
 * Thrown by a transaction if another commit has made the preparation of the call invalid. The pipeline then
 * prepares the call again.
 */
export class StalePreparation extends Error {
  override readonly name: string = "StalePreparation";
}

/** The answer of a call that repeats an earlier one and adds nothing, so that no rate limit refuses it. */
export class Repeated<Answer> {
  constructor(readonly answer: Answer) {}
}

/** Types for a call to an operation, and for its result. */
import type { AuthOf, Input, OperationId } from "../../contract/index.js";
import type { LimitState } from "../../contract/limits.js";
import type { JsonText } from "../../kernel/raw-json.js";
import type { Agent, Human } from "./caller.js";
import type { Context } from "./context.js";

export type ContextOf<Id extends OperationId> = Context<AuthOf<Id> extends "key" ? Agent : Human>;

export interface Call<Id extends OperationId = OperationId> {
  ctx: ContextOf<Id>;
  input: Input<Id>;
  idempotency: IdempotencyRequest | undefined;
}

/** An `Idempotency-Key`, with a hash that reveals whether a later request with the same key differs. */
export interface IdempotencyRequest {
  key: string;
  hash: string;
}

export interface Outcome {
  body?: JsonText;
  lines?: AsyncIterable<string>;
  error?: Error;
  limits: LimitState[];
}

/** Result of a write. Without `limits`, dispatch reads the rate limits from the database. */
export type WriteOutcome = Omit<Outcome, "limits" | "lines"> & { limits?: LimitState[] };

/**
 * Thrown by a transaction if a concurrent commit has changed the data that the call was prepared with. The
 * pipeline then prepares the call again.
 */
export class StalePreparation extends Error {
  override readonly name: string = "StalePreparation";
}

/** Wraps the answer to a repeated call, which changes nothing and is therefore exempt from rate limits. */
export class Repeated<Answer> {
  constructor(readonly answer: Answer) {}
}

/** Wraps an answer that an idempotency key does not keep, because the same request may succeed later. */
export class Unremembered<Answer> {
  constructor(readonly answer: Answer) {}
}

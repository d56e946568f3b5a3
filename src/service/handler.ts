/** What a handler is. The shape says what the pipeline in invoke.ts may do around it. */
import type { Answer, AuthOf, Input, OperationId } from "../contract/index.js";
import type { LimitState } from "../contract/limits.js";
import type { Json } from "../kernel/verbatim.js";
import type { Session, Transaction } from "../store/engine.js";
import type { Agent, Context, Human } from "./context.js";

export type ContextOf<Id extends OperationId> = Context<AuthOf<Id> extends "key" ? Agent : Human>;

/** Answers from what is stored; changes nothing that a caller could see. */
export interface ReadHandler<Id extends OperationId> {
  kind: "read";
  run(ctx: ContextOf<Id>, input: Input<Id>, session: Session): Promise<Answer<Id>>;
}

/**
 * Changes what is stored, in one transaction.
 * `prepare` does what must not hold up the writer (compiling a schema); `run` may be called again with the same result.
 */
export interface WriteHandler<Id extends OperationId, Prepared = unknown> {
  kind: "write";
  prepare(ctx: ContextOf<Id>, input: Input<Id>): Promise<Prepared>;
  run(ctx: ContextOf<Id>, input: Input<Id>, tx: Transaction, prepared: Prepared): Promise<Answer<Id>>;
  /** Calls of the same key are prepared and run one after the other, so that none makes the other `Stale`. */
  turnOf?(ctx: ContextOf<Id>, input: Input<Id>): string;
  /** Slugs of the handles, besides the caller, to whose inbox it appends: all are locked at once, in a fixed order. */
  alsoLocks?(input: Input<Id>): string[];
}

/** The key of a request that is to have its effect once, and what tells another request under the same key. */
export interface IdempotencyRequest {
  key: string;
  /** SHA-256 of the input as canonical JSON. */
  hash: string;
}

/** What is answered: JSON, its lines, or the error; and where the caller's limits stand. */
export interface Outcome {
  /** The response body as JSON. */
  body?: Json;
  /** The same as it stands within a JSON text, where the context asks for it and it is at hand. */
  quoted?: Json;
  /** JSON texts of lines, in place of a body. */
  lines?: AsyncIterable<string>;
  error?: Error;
  limits: LimitState[];
}

/** Does limits, idempotency and the transaction itself, for many calls at once: the hot path. */
export interface BatchedHandler<Id extends OperationId> {
  kind: "batched";
  run(ctx: ContextOf<Id>, input: Input<Id>, idempotency: IdempotencyRequest | undefined): Promise<Outcome>;
}

/** Answers line by line, as fast as the caller reads. What it throws before it gives the lines is answered as an error. */
export interface StreamHandler<Id extends OperationId> {
  kind: "stream";
  /** JSON texts without line breaks. */
  run(ctx: ContextOf<Id>, input: Input<Id>): Promise<AsyncIterable<string>>;
}

export type Handler<Id extends OperationId> =
  | ReadHandler<Id>
  // biome-ignore lint/suspicious/noExplicitAny: what is prepared is a matter between the two functions of one handler
  | WriteHandler<Id, any>
  | BatchedHandler<Id>
  | StreamHandler<Id>;

export function read<Id extends OperationId>(_id: Id, run: ReadHandler<Id>["run"]): ReadHandler<Id> {
  return { kind: "read", run };
}

export function stream<Id extends OperationId>(_id: Id, run: StreamHandler<Id>["run"]): StreamHandler<Id> {
  return { kind: "stream", run };
}

export function write<Id extends OperationId>(
  _id: Id,
  run: (ctx: ContextOf<Id>, input: Input<Id>, tx: Transaction) => Promise<Answer<Id>>,
  alsoLocks?: WriteHandler<Id>["alsoLocks"],
): WriteHandler<Id, undefined> {
  return { kind: "write", prepare: async () => undefined, run, ...(alsoLocks && { alsoLocks }) };
}

export function preparedWrite<Id extends OperationId, Prepared>(
  _id: Id,
  prepare: WriteHandler<Id, Prepared>["prepare"],
  run: WriteHandler<Id, Prepared>["run"],
  turnOf?: WriteHandler<Id, Prepared>["turnOf"],
): WriteHandler<Id, Prepared> {
  return { kind: "write", prepare, run, ...(turnOf && { turnOf }) };
}

/** What was prepared no longer holds, since something else was committed meanwhile: the pipeline prepares again. */
export class Stale extends Error {
  override readonly name = "Stale";
}

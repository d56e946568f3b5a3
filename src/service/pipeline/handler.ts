/**
 * Types of operation handlers. Every operation has one handler, which `dispatch/invoke.ts` calls with
 * validated input.
 */
import type { AuthOf, EncodableOutput, Input, OperationId } from "../../contract/index.js";
import type { LimitState } from "../../contract/limits.js";
import type { JsonText } from "../../kernel/raw-json.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import type { Queries } from "../../store/engine/selects.js";
import type { SenderLog } from "../../store/limits/usage.js";
import type { Agent, Human } from "./caller.js";
import type { Context } from "./context.js";

export type ContextOf<Id extends OperationId> = Context<AuthOf<Id> extends "key" ? Agent : Human>;

/** A handler that changes no data except internal state, such as the checkpoint of an inbox. */
export interface ReadHandler<Id extends OperationId> {
  kind: "read";
  run(ctx: ContextOf<Id>, input: Input<Id>, session: Session): Promise<EncodableOutput<Id>>;
}

/**
 * A handler that streams its output as lines, no faster than the client reads them. An error before the first
 * line becomes an error response.
 */
export interface StreamHandler<Id extends OperationId> {
  kind: "stream";
  /** Returns JSON texts without line breaks. */
  run(ctx: ContextOf<Id>, input: Input<Id>): Promise<AsyncIterable<string>>;
}

/**
 * A handler that writes. The pipeline prepares each call, then opens a transaction for one or more calls. The
 * transaction locks and loads the rows of all calls at once. Then it accepts or refuses the calls in order of
 * arrival, and stores the results.
 */
export interface WriteHandler<Id extends OperationId, Prepared = unknown> {
  kind: "write";
  /** Whether several calls share one transaction. If true, the handler must write only in `store`. */
  isBatched: boolean;
  /**
   * Does slow work before the transaction, such as validating a payload. In a transaction, slow work would
   * block other writes.
   * @param stale why the transaction rejected the previous preparation; undefined on the first attempt
   */
  prepare(ctx: ContextOf<Id>, input: Input<Id>, stale: StalePreparation | undefined): Promise<Prepared>;
  /**
   * Runs a call after the calls before it, if concurrent calls would make each other's preparation stale.
   * Throws without running it if it may not wait, or has waited for too long.
   */
  runInTurn?<Result>(ctx: ContextOf<Id>, input: Input<Id>, run: () => Promise<Result>): Promise<Result>;
  /**
   * Returns rows that the transaction locks before it reads anything. The pipeline also locks the caller's
   * row if necessary.
   */
  locks?(call: Call<Id, Prepared>): Locks;
  /**
   * Returns approximately how many characters a call stores and indexes, which bounds the calls that share a
   * transaction.
   */
  characters?(call: Call<Id, Prepared>): number;
  /**
   * Returns the queries for all calls of the transaction. They share one round trip with the queries of the
   * pipeline.
   */
  load?(session: Session, calls: readonly Call<Id, Prepared>[], at: number): Queries;
  /**
   * Starts the batch of one transaction.
   * @param loaded the rows that the queries of `load` returned, and the wire counts of the calling handles
   */
  begin(tx: Transaction, calls: readonly Call<Id, Prepared>[], loaded: Loaded): Promise<Batch<Id, Prepared>>;
  /**
   * Returns the body to send after the commit, for example after a wait. A repeated request with the same
   * idempotency key runs it again.
   * @param body the body that the transaction has returned, as JSON
   */
  complete?(ctx: ContextOf<Id>, input: Input<Id>, body: string): Promise<string>;
}

/** One call of a write operation, with the result of its preparation. */
export interface Call<Id extends OperationId, Prepared = unknown> {
  ctx: ContextOf<Id>;
  input: Input<Id>;
  idempotency: IdempotencyRequest | undefined;
  prepared: Prepared;
}

/** Slugs of the rows to lock. The pipeline locks handles before spaces, to avoid deadlocks. */
export interface Locks {
  handles?: readonly string[];
  spaces?: readonly string[];
}

export interface Loaded {
  at: number;
  rows: Record<string, unknown[]>;
  /**
   * Number and time of the last wire of each calling handle, by the handle's primary key. Empty
   * unless a limit of the operation counts wires.
   */
  logs: ReadonlyMap<number, SenderLog>;
}

/** The handler's part of one transaction. */
export interface Batch<Id extends OperationId, Prepared = unknown> {
  /**
   * Decides whether call `n` succeeds. Throws the error for the client, or `StalePreparation` if the call
   * must be prepared again.
   */
  decide(call: Call<Id, Prepared>, n: number): Promise<Decision<Id>> | Decision<Id>;
  /** Writes all accepted calls. */
  store?(): Promise<void>;
}

export interface Decision<Id extends OperationId> {
  answer: EncodableOutput<Id>;
  /** Whether an earlier call has done the same, so that this one adds nothing. No rate limit refuses it. */
  isRepeat?: boolean;
  /**
   * Marks the call as accepted, so that `store` writes its changes. Not called if a rate limit refuses the
   * call.
   */
  accept?(): void;
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

/**
 * Thrown by a transaction if another commit has made the preparation of the call invalid. The pipeline then
 * prepares the call again.
 */
export class StalePreparation extends Error {
  override readonly name = "StalePreparation";
}

export type Handler<Id extends OperationId> =
  | ReadHandler<Id>
  | StreamHandler<Id>
  // biome-ignore lint/suspicious/noExplicitAny: the prepared value is private to one handler
  | WriteHandler<Id, any>;

export function read<Id extends OperationId>(_id: Id, run: ReadHandler<Id>["run"]): ReadHandler<Id> {
  return { kind: "read", run };
}

export function stream<Id extends OperationId>(_id: Id, run: StreamHandler<Id>["run"]): StreamHandler<Id> {
  return { kind: "stream", run };
}

/**
 * Returns a write handler that runs each call in its own transaction. `run` may read and write in any order.
 */
export function write<Id extends OperationId>(
  id: Id,
  run: (ctx: ContextOf<Id>, input: Input<Id>, tx: Transaction) => Promise<EncodableOutput<Id>>,
  locks?: (input: Input<Id>) => Locks,
): WriteHandler<Id, undefined> {
  return preparedWrite(id, {
    prepare: async () => undefined,
    run,
    ...(locks && { locks: ({ input }) => locks(input) }),
  });
}

/**
 * Returns a write handler that runs each call in its own transaction. The `prepare` step runs before the
 * transaction.
 */
export function preparedWrite<Id extends OperationId, Prepared>(
  _id: Id,
  handler: Pick<WriteHandler<Id, Prepared>, "prepare" | "runInTurn" | "locks" | "complete"> & {
    run(
      ctx: ContextOf<Id>,
      input: Input<Id>,
      tx: Transaction,
      prepared: Prepared,
    ): Promise<EncodableOutput<Id>>;
  },
): WriteHandler<Id, Prepared> {
  const { run, ...rest } = handler;
  const begin: WriteHandler<Id, Prepared>["begin"] = async (tx) => ({
    decide: async ({ ctx, input, prepared }) => ({ answer: await run(ctx, input, tx, prepared) }),
  });
  return { kind: "write", isBatched: false, ...rest, begin };
}

/** Returns a write handler that can process several calls in one transaction. */
export function batchedWrite<Id extends OperationId, Prepared>(
  _id: Id,
  handler: Omit<WriteHandler<Id, Prepared>, "kind" | "isBatched">,
): WriteHandler<Id, Prepared> {
  return { kind: "write", isBatched: true, ...handler };
}

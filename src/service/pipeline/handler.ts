/** The handler of an operation: what the pipeline in invoke.ts runs between input and answer. */
import type { Answer, AuthOf, Input, OperationId } from "../../contract/index.js";
import type { LimitState } from "../../contract/limits.js";
import type { Json } from "../../kernel/verbatim.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import type { Queries } from "../../store/engine/sql.js";
import type { SenderLog } from "../../store/usage.js";
import type { Agent, Context, Human } from "./context.js";

export type ContextOf<Id extends OperationId> = Context<AuthOf<Id> extends "key" ? Agent : Human>;

/** Answers from what is stored; changes nothing that a caller could see. */
export interface ReadHandler<Id extends OperationId> {
  kind: "read";
  run(ctx: ContextOf<Id>, input: Input<Id>, session: Session): Promise<Answer<Id>>;
}

/** Answers line by line, as fast as the caller reads. An error before the first line is answered as an error. */
export interface StreamHandler<Id extends OperationId> {
  kind: "stream";
  /** JSON texts without line breaks. */
  run(ctx: ContextOf<Id>, input: Input<Id>): Promise<AsyncIterable<string>>;
}

/**
 * Changes what is stored. The pipeline runs it for one call, or, where it is batched, for many calls in one transaction:
 * prepare each, then lock and load for all, decide each in the order of arrival, and store what was decided.
 */
export interface WriteHandler<Id extends OperationId, Prepared = unknown> {
  kind: "write";
  /** Whether calls share transactions. A batched handler writes only in `store`. */
  isBatched: boolean;
  /**
   * Work that must not hold up the writer, such as validating a payload; outside of any transaction.
   * @param stale why what was prepared before no longer holds; undefined the first time
   */
  prepare(ctx: ContextOf<Id>, input: Input<Id>, stale: Stale | undefined): Promise<Prepared>;
  /** Calls of one key are prepared and run one after the other, so that they do not make each other stale. */
  mutexKey?(ctx: ContextOf<Id>, input: Input<Id>): string;
  /** Rows, besides the caller's, that are locked before anything is read. */
  locks?(call: Call<Id, Prepared>): Locks;
  /** What to load for all calls, in one round trip with what the pipeline loads itself. */
  load?(session: Session, calls: readonly Call<Id, Prepared>[], at: number): Queries;
  /** Begins the calls of one transaction. @param loaded the rows of what `load` asked for, and the senders' logs */
  begin(tx: Transaction, calls: readonly Call<Id, Prepared>[], loaded: Loaded): Promise<Batch<Id, Prepared>>;
}

/** One call on its way through a transaction. */
export interface Call<Id extends OperationId, Prepared = unknown> {
  ctx: ContextOf<Id>;
  input: Input<Id>;
  idempotency: IdempotencyRequest | undefined;
  prepared: Prepared;
}

/** Slugs of handles and spaces that are locked, each kind at once and in a fixed order. */
export interface Locks {
  handles?: readonly string[];
  spaces?: readonly string[];
}

export interface Loaded {
  at: number;
  rows: Record<string, unknown[]>;
  /** The wires of each calling handle, by its pk, where the operation counts wires. */
  logs: ReadonlyMap<number, SenderLog>;
}

/** The calls of one transaction. */
export interface Batch<Id extends OperationId, Prepared = unknown> {
  /** Decides call `n`. Throws its refusal, or `Stale` where the call must be prepared anew. */
  decide(call: Call<Id, Prepared>, n: number): Promise<Decision<Id>> | Decision<Id>;
  /** Stores what was decided and accepted. */
  store?(): Promise<void>;
}

export interface Decision<Id extends OperationId> {
  answer: Answer<Id>;
  /** Called where nothing else refuses the call: notes what `store` is to write. */
  accept?(): void;
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

/** What was prepared no longer holds, as something else was committed meanwhile: the pipeline prepares the call anew. */
export class Stale extends Error {
  override readonly name = "Stale";
}

export type Handler<Id extends OperationId> =
  | ReadHandler<Id>
  | StreamHandler<Id>
  // biome-ignore lint/suspicious/noExplicitAny: what is prepared is a matter between the functions of one handler
  | WriteHandler<Id, any>;

export function read<Id extends OperationId>(_id: Id, run: ReadHandler<Id>["run"]): ReadHandler<Id> {
  return { kind: "read", run };
}

export function stream<Id extends OperationId>(_id: Id, run: StreamHandler<Id>["run"]): StreamHandler<Id> {
  return { kind: "stream", run };
}

/** A write of one call a transaction, in which it reads and writes as it goes. */
export function write<Id extends OperationId>(
  id: Id,
  run: (ctx: ContextOf<Id>, input: Input<Id>, tx: Transaction) => Promise<Answer<Id>>,
  locks?: (input: Input<Id>) => Locks,
): WriteHandler<Id, undefined> {
  return preparedWrite(id, {
    prepare: async () => undefined,
    run,
    ...(locks && { locks: ({ input }) => locks(input) }),
  });
}

/** The same, of what was prepared before its transaction. */
export function preparedWrite<Id extends OperationId, Prepared>(
  _id: Id,
  handler: Pick<WriteHandler<Id, Prepared>, "prepare" | "mutexKey" | "locks"> & {
    run(ctx: ContextOf<Id>, input: Input<Id>, tx: Transaction, prepared: Prepared): Promise<Answer<Id>>;
  },
): WriteHandler<Id, Prepared> {
  const { run, ...rest } = handler;
  const begin: WriteHandler<Id, Prepared>["begin"] = async (tx) => ({
    decide: async ({ ctx, input, prepared }) => ({ answer: await run(ctx, input, tx, prepared) }),
  });
  return { kind: "write", isBatched: false, ...rest, begin };
}

/** A write whose calls share transactions. */
export function batchedWrite<Id extends OperationId, Prepared>(
  _id: Id,
  handler: Omit<WriteHandler<Id, Prepared>, "kind" | "isBatched">,
): WriteHandler<Id, Prepared> {
  return { kind: "write", isBatched: true, ...handler };
}

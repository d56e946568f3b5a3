/**
 * Types and constructors of operation handlers. `dispatch/invoke.ts` calls each handler with validated input.
 * A write runs alone in its transaction (`write`, `preparedWrite`) or shares it with other calls
 * (`groupedWrite`).
 */
import { type EncodableOutput, type Input, type OperationId, operation } from "../../contract/index.js";
import type { BatchedWrite, Session, Transaction } from "../../store/engine/engine.js";
import type { Call, ContextOf, Repeated, StalePreparation, WriteOutcome } from "./call.js";
import { prepareAndCommit } from "./prepare.js";
import { type GroupedCall, type GroupedWrite, runAlone, runGroup, type SingleWrite } from "./transaction.js";
import type { Locks } from "./transaction-locks.js";

/** A handler that only reads, except for internal state such as an inbox's checkpoint. */
export interface ReadHandler<Id extends OperationId> {
  kind: "read";
  run(ctx: ContextOf<Id>, input: Input<Id>, session: Session): Promise<EncodableOutput<Id>>;
}

/**
 * A handler that streams its output as lines, at the client's pace. An error before the first line becomes an
 * error response.
 */
export interface StreamHandler<Id extends OperationId> {
  kind: "stream";
  /** Returns JSON texts without line breaks. */
  run(ctx: ContextOf<Id>, input: Input<Id>): Promise<AsyncIterable<string>>;
}

export interface WriteHandler<Id extends OperationId> {
  kind: "write";
  /** Commits a call, or returns the stored response if an earlier call had the same idempotency key. */
  run(call: Call<Id>): Promise<WriteOutcome>;
  /**
   * Returns the body to send after the commit, for example after a wait. Runs again for a repeated request
   * with the same idempotency key.
   * @param body the body that the transaction returned, as JSON
   */
  complete?(ctx: ContextOf<Id>, input: Input<Id>, body: string): Promise<string>;
}

export type Handler<Id extends OperationId> = ReadHandler<Id> | StreamHandler<Id> | WriteHandler<Id>;

export function read<Id extends OperationId>(_id: Id, run: ReadHandler<Id>["run"]): ReadHandler<Id> {
  return { kind: "read", run };
}

export function stream<Id extends OperationId>(_id: Id, run: StreamHandler<Id>["run"]): StreamHandler<Id> {
  return { kind: "stream", run };
}

/** Returns a write handler that runs each call in its own transaction. `run` may mix reads and writes. */
export function write<Id extends OperationId>(
  id: Id,
  run: (
    ctx: ContextOf<Id>,
    input: Input<Id>,
    tx: Transaction,
  ) => Promise<EncodableOutput<Id> | Repeated<EncodableOutput<Id>>>,
  locks?: (input: Input<Id>) => Locks,
): WriteHandler<Id> {
  return preparedWrite(id, { prepare: async () => undefined, run, ...(locks && { locks }) });
}

interface PreparedWrite<Id extends OperationId, Prepared>
  extends SingleWrite<Id, Prepared>,
    Pick<WriteHandler<Id>, "complete"> {
  /**
   * Does slow work, such as payload validation, before the transaction, where it would block other writes.
   * @param stale the reason why the transaction rejected the previous preparation; undefined on the first
   *   attempt
   */
  prepare(ctx: ContextOf<Id>, input: Input<Id>, stale: StalePreparation | undefined): Promise<Prepared>;
  /**
   * Runs calls one after another if concurrent calls would make each other's preparation stale. Throws
   * without running the call if the call may not queue, or has waited too long.
   */
  runInTurn?<Result>(ctx: ContextOf<Id>, input: Input<Id>, run: () => Promise<Result>): Promise<Result>;
}

/** Returns a write handler that runs `prepare` first, and then each call in its own transaction. */
export function preparedWrite<Id extends OperationId, Prepared>(
  id: Id,
  handler: PreparedWrite<Id, Prepared>,
): WriteHandler<Id> {
  const definition = operation(id);
  const { complete, prepare, runInTurn } = handler;
  const commit = (call: Call<Id>, prepared: Prepared) =>
    call.ctx.store.engine.write(
      (tx) => runAlone(tx, definition, handler, call, prepared),
      call.ctx.caller.account.id,
    );
  return {
    kind: "write",
    run: (call) => prepareAndCommit(definition, call, prepare, commit, runInTurn),
    ...(complete && { complete }),
  };
}

interface PreparedGroup<Id extends OperationId, Prepared, Facts, Effect>
  extends GroupedWrite<Id, Prepared, Facts, Effect>,
    Pick<PreparedWrite<Id, Prepared>, "prepare" | "complete"> {
  /** Estimates how many characters a call stores and indexes. This limits the size of a group. */
  characters(prepared: Prepared): number;
}

/**
 * Returns a write handler whose concurrent calls share a transaction. The transaction loads the facts for all
 * calls, decides the calls in order of arrival, and stores all accepted calls.
 */
export function groupedWrite<Id extends OperationId, Prepared, Facts extends object, Effect>(
  id: Id,
  handler: PreparedGroup<Id, Prepared, Facts, Effect>,
): WriteHandler<Id> {
  const definition = operation(id);
  const { complete, prepare, characters } = handler;
  const group: BatchedWrite<GroupedCall<Id, Prepared>, WriteOutcome | StalePreparation> = {
    run: (tx, calls) => runGroup(tx, definition, handler, calls),
  };
  const commit = (call: Call<Id>, prepared: Prepared) =>
    call.ctx.store.engine.writeBatched(
      group,
      { ...call, prepared },
      { key: call.ctx.caller.account.id, characters: characters(prepared) },
    );
  return {
    kind: "write",
    run: (call) => prepareAndCommit(definition, call, prepare, commit),
    ...(complete && { complete }),
  };
}

/**
 * Types and constructors of operation handlers. `dispatch/invoke.ts` calls each handler with validated input.
 * A write runs alone in its transaction (`write`, `preparedWrite`) or shares it with other calls
 * (`groupedWrite`).
 */
import { type EncodableOutput, type Input, type OperationId, operation } from "../../contract/index.js";
import type { Operation } from "../../contract/operation.js";
import { monotonicMs } from "../../kernel/clock.js";
import { type BatchedWrite, type Session, StoreUnavailable } from "../../store/engine/engine.js";
import { type Call, type ContextOf, StalePreparation, type WriteOutcome } from "./call.js";
import type { RequestRecord } from "./context.js";
import { findReplay } from "./idempotency.js";
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
   * Returns the response body to send after the commit, for example after waiting for a reply. Also runs for
   * a repeated request with the same idempotency key.
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

interface Preparation<Id extends OperationId, Prepared> {
  /**
   * Does slow work, such as payload validation, before the transaction begins. Inside the transaction, the
   * work would block other writes.
   * @param stale the reason why the transaction rejected the previous preparation; undefined on the first
   *   attempt
   */
  prepare(ctx: ContextOf<Id>, input: Input<Id>, stale: StalePreparation | undefined): Promise<Prepared>;
}

export function write<Id extends OperationId>(
  id: Id,
  run: SingleWrite<Id, undefined>["run"],
  locks?: (input: Input<Id>) => Locks,
): WriteHandler<Id> {
  return preparedWrite(id, { prepare: async () => undefined, run, ...(locks && { locks }) });
}

export function preparedWrite<Id extends OperationId, Prepared>(
  id: Id,
  handler: Preparation<Id, Prepared> & SingleWrite<Id, Prepared>,
): WriteHandler<Id> {
  const definition = operation(id);
  return committedBy(definition, handler, (call, prepared) =>
    call.ctx.store.engine.write(
      (tx) => runAlone(tx, definition, handler, call, prepared),
      call.ctx.caller.account.id,
    ),
  );
}

/**
 * Returns a write handler whose concurrent calls share a transaction. The transaction loads the data for all
 * calls, accepts or refuses the calls in order of arrival, and stores the accepted calls.
 */
export function groupedWrite<Id extends OperationId, Prepared, Facts extends object, Effect>(
  id: Id,
  handler: Preparation<Id, Prepared> & GroupedWrite<Id, Prepared, Facts, Effect>,
): WriteHandler<Id> {
  const definition = operation(id);
  const group: BatchedWrite<GroupedCall<Id, Prepared>, WriteOutcome | StalePreparation> = {
    run: (tx, calls) => runGroup(tx, definition, handler, calls),
  };
  return committedBy(definition, handler, (call, prepared) =>
    call.ctx.store.engine.writeBatched(
      group,
      { ...call, prepared },
      { key: call.ctx.caller.account.id, characters: handler.characters(prepared) },
    ),
  );
}

/**
 * Returns a handler that passes its calls to `turn`, for example to run them one after another.
 * @param turn runs the call; throws if too many calls wait, or if the call has waited too long
 */
export function queued<Id extends OperationId>(
  id: Id,
  handler: WriteHandler<Id>,
  turn: <Result>(ctx: ContextOf<Id>, input: Input<Id>, run: () => Promise<Result>) => Promise<Result>,
): WriteHandler<Id> {
  const definition = operation(id);
  return {
    ...handler,
    run: (call) =>
      turn(call.ctx, call.input, () => handler.run(call)).catch((error: unknown) =>
        replayOrThrow(definition, call, error),
      ),
  };
}

const MAX_ATTEMPTS = 10;

function committedBy<Id extends OperationId, Prepared>(
  definition: Operation,
  { prepare }: Preparation<Id, Prepared>,
  commit: (call: Call<Id>, prepared: Prepared) => Promise<WriteOutcome | StalePreparation>,
): WriteHandler<Id> {
  return {
    kind: "write",
    async run(call) {
      let stale: StalePreparation | undefined;
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
        let prepared: Prepared;
        try {
          prepared = await prepare(call.ctx, call.input, stale);
        } catch (error) {
          return replayOrThrow(definition, call, error);
        }
        await call.ctx.authenticator.assertStillValid(call.ctx.caller);
        const startedMs = call.ctx.record.trace && monotonicMs();
        const result = await commit(call, prepared).catch(staleOrThrow);
        if (startedMs !== undefined) recordTransaction(call.ctx.record, startedMs);
        if (!(result instanceof StalePreparation)) return result;
        stale = result;
      }
      throw new StoreUnavailable("too many concurrent changes", { cause: stale });
    },
  };
}

function staleOrThrow(error: unknown): StalePreparation {
  if (error instanceof StalePreparation) return error;
  throw error;
}

function recordTransaction({ trace, transactionAtMs }: RequestRecord, startedMs: number): void {
  const beganMs = transactionAtMs ?? startedMs;
  trace?.record("store.wait", startedMs, beganMs);
  trace?.record("store.transaction", beganMs);
}

/**
 * Returns the stored response if this request repeats an earlier one, because a replay takes precedence over
 * errors that occur before the transaction. For any other request, throws the error.
 */
async function replayOrThrow<Id extends OperationId>(
  operation: Operation,
  call: Call<Id>,
  error: unknown,
): Promise<WriteOutcome> {
  await call.ctx.authenticator.assertStillValid(call.ctx.caller);
  const replayed = await findReplay(operation, call);
  if (replayed === undefined) throw error;
  return { body: replayed };
}

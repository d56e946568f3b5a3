/** Prepares a write before its transaction, and again if a concurrent commit makes the preparation stale. */
import type { Input, OperationId } from "../../contract/index.js";
import type { Operation } from "../../contract/operation.js";
import { monotonicMs } from "../../kernel/clock.js";
import { StoreUnavailable } from "../../store/engine/engine.js";
import { type Call, type ContextOf, StalePreparation, type WriteOutcome } from "./call.js";
import type { RequestRecord } from "./context.js";
import { findReplay } from "./idempotency.js";

/** Maximum number of attempts for a call whose preparation keeps becoming stale. */
const MAX_ATTEMPTS = 10;

/** @param runInTurn see `preparedWrite` */
export async function prepareAndCommit<Id extends OperationId, Prepared>(
  operation: Operation,
  call: Call<Id>,
  prepare: (ctx: ContextOf<Id>, input: Input<Id>, stale: StalePreparation | undefined) => Promise<Prepared>,
  commit: (call: Call<Id>, prepared: Prepared) => Promise<WriteOutcome | StalePreparation>,
  runInTurn?: <R>(ctx: ContextOf<Id>, input: Input<Id>, run: () => Promise<R>) => Promise<R>,
): Promise<WriteOutcome> {
  let hasBegun = false;
  const attempt = async () => {
    hasBegun = true;
    let stale: StalePreparation | undefined;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      let prepared: Prepared;
      try {
        prepared = await prepare(call.ctx, call.input, stale);
      } catch (error) {
        return replayOrThrow(operation, call, error);
      }
      await call.ctx.authenticator.assertStillValid(call.ctx.caller);
      const startedMs = call.ctx.record.trace && monotonicMs();
      const result = await commit(call, prepared).catch(staleOrThrow);
      if (startedMs !== undefined) recordTransaction(call.ctx.record, startedMs);
      if (!(result instanceof StalePreparation)) return result;
      stale = result;
    }
    throw new StoreUnavailable("too many concurrent changes", { cause: stale });
  };
  if (!runInTurn) return attempt();
  try {
    return await runInTurn(call.ctx, call.input, attempt);
  } catch (error) {
    if (hasBegun) throw error;
    return replayOrThrow(operation, call, error);
  }
}

function staleOrThrow(error: unknown): StalePreparation {
  if (error instanceof StalePreparation) return error;
  throw error;
}

/** Records how long the transaction waited to start, and how long it ran. */
function recordTransaction({ trace, transactionAtMs }: RequestRecord, startedMs: number): void {
  const beganMs = transactionAtMs ?? startedMs;
  trace?.record("store.wait", startedMs, beganMs);
  trace?.record("store.transaction", beganMs);
}

/**
 * Returns the stored response if this request repeats an earlier one, because replay takes precedence over
 * errors before the transaction. Otherwise throws the error.
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

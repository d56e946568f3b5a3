/**
 * The one way into an operation, for every surface. The caller is known by then, as 401 and 403 come first; what follows is
 * input, idempotency, limits, transaction, handler, answer.
 */
import { WireroomError } from "../../contract/errors.js";
import type { OperationId } from "../../contract/index.js";
import type { Operation } from "../../contract/operation.js";
import { now } from "../../kernel/clock.js";
import { encodeBody, encodeQuoted } from "../../kernel/verbatim.js";
import { StoreUnavailable } from "../../store/engine/engine.js";
import type { Caller, Context, Service } from "./context.js";
import {
  type Call,
  type Handler,
  type Outcome,
  type ReadHandler,
  Stale,
  type WriteHandler,
} from "./handler.js";
import { handlers } from "./handlers.js";
import { replayOf } from "./idempotency.js";
import { idempotencyRequest, validateInput } from "./input.js";
import { storedLimitStates } from "./rate-limits.js";
import { type CallOutcome, runInTransaction } from "./transaction.js";

export interface Invocation {
  /** The flat input, or what was wrong with the request that should have carried it. */
  input: Record<string, unknown> | WireroomError;
  /** Of the `Idempotency-Key` header or the tool's `idempotency_key`. */
  idempotencyKey?: string | undefined;
}

type Input = Record<string, unknown>;

/** The context of a call. Field by field, as a spread costs 15 % of the CPU of an empty inbox (docs/performance.md). */
export function contextOf<Who extends Caller>(
  service: Service,
  caller: Who,
  requestId: string,
  signal: AbortSignal,
  quoted = false,
): Context<Who> {
  return {
    store: service.store,
    validators: service.validators,
    documents: service.documents,
    predictedRules: service.predictedRules,
    authenticator: service.authenticator,
    cursors: service.cursors,
    mutex: service.mutex,
    limits: service.limits,
    baseUrl: service.baseUrl,
    stopping: service.stopping,
    caller,
    requestId,
    signal,
    quoted,
  };
}

/** Runs an operation. Never throws: a failure is the outcome's error, with the limits beside it. */
export async function invoke(operation: Operation, ctx: Context, invocation: Invocation): Promise<Outcome> {
  try {
    if (invocation.input instanceof WireroomError) throw invocation.input;
    const input = validateInput(operation, invocation.input);
    const handler = handlers[operation.id as OperationId] as unknown as Handler<OperationId>;
    switch (handler.kind) {
      case "read":
        return { ...(await runRead(handler, ctx, input)), limits: await limitsOf(operation, ctx) };
      case "stream":
        return {
          lines: await handler.run(ctx as never, input as never),
          limits: await limitsOf(operation, ctx),
        };
      case "write": {
        const outcome = await runWrite(operation, handler, ctx, input, invocation.idempotencyKey);
        return { ...outcome, limits: outcome.limits ?? (await limitsOf(operation, ctx)) };
      }
    }
  } catch (error) {
    const limits = await limitsOf(operation, ctx).catch(() => []);
    return { error: error instanceof Error ? error : new Error(String(error)), limits };
  }
}

async function limitsOf({ limits: names }: Operation, { caller, store, limits }: Context) {
  if (names.length === 0 || caller.kind !== "agent") return [];
  return storedLimitStates(store.engine.reader, limits, names, caller, now());
}

async function runRead(
  handler: ReadHandler<OperationId>,
  ctx: Context,
  input: Input,
): Promise<Pick<Outcome, "body" | "quoted">> {
  const answer = await handler.run(ctx as never, input as never, ctx.store.engine.reader);
  return { body: encodeBody(answer), ...(ctx.quoted && { quoted: encodeQuoted(answer) }) };
}

function runWrite(
  operation: Operation,
  handler: WriteHandler<OperationId>,
  ctx: Context,
  input: Input,
  idempotencyKey: string | undefined,
): Promise<CallOutcome> {
  const idempotency = idempotencyRequest(operation, input, idempotencyKey);
  const call = { ctx, input, idempotency } as Omit<Call<OperationId>, "prepared">;
  const mutexKey = handler.mutexKey?.(call.ctx, call.input);
  const run = () => prepareAndRun(operation, handler, call);
  return mutexKey === undefined ? run() : ctx.mutex.run(mutexKey, run);
}

/** Times that a call is prepared anew because another one was committed in between. */
const MAX_ATTEMPTS = 10;

async function prepareAndRun(
  operation: Operation,
  handler: WriteHandler<OperationId>,
  call: Omit<Call<OperationId>, "prepared">,
): Promise<CallOutcome> {
  let stale: Stale | undefined;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    let prepared: unknown;
    try {
      prepared = await handler.prepare(call.ctx, call.input, stale);
    } catch (error) {
      // The first outcome of the request stands, whatever refuses it now.
      const replayed = await replayOf(operation, call);
      if (replayed === undefined) throw error;
      return { body: replayed };
    }
    const result = await runInTransaction(operation, handler, { ...call, prepared });
    if (!(result instanceof Stale)) return result;
    stale = result;
  }
  throw new StoreUnavailable("too many concurrent changes", { cause: stale });
}

/**
 * Runs operations for REST and MCP. Authentication happens before, because 401 and 403 take precedence. Each
 * call validates the input, checks the limits, runs the handler and encodes the response. If the idempotency
 * key is known, the call returns the stored response.
 */
import { WireroomError } from "../../contract/errors.js";
import type { OperationId } from "../../contract/index.js";
import type { LimitState } from "../../contract/limits.js";
import type { Operation } from "../../contract/operation.js";
import { monotonicMs, now } from "../../kernel/clock.js";
import { encodeJsonText } from "../../kernel/raw-json.js";
import { StoreUnavailable } from "../../store/engine/engine.js";
import type { HoldSignal } from "../../store/engine/notifier.js";
import { CallerRefused } from "../pipeline/authenticate.js";
import type { Agent, Caller, Human } from "../pipeline/caller.js";
import type { Context, RequestRecord, Service } from "../pipeline/context.js";
import {
  type Call,
  type Handler,
  type IdempotencyRequest,
  type Outcome,
  type ReadHandler,
  StalePreparation,
  type WriteHandler,
} from "../pipeline/handler.js";
import { findReplay } from "../pipeline/idempotency.js";
import { toIdempotencyRequest, validateInput } from "../pipeline/input.js";
import { readLimitStates } from "../pipeline/rate-limits.js";
import { linkToSenders } from "../pipeline/trace-links.js";
import { type CallOutcome, runInTransaction } from "../pipeline/transaction.js";
import { handlers } from "./handlers.js";

export interface Invocation {
  /**
   * The fields of the path, the query and the body as one object. If the request could not be parsed, this is
   * the error.
   */
  input: Record<string, unknown> | WireroomError;
  /** Value of the `Idempotency-Key` header, or of the argument `idempotency_key` of an MCP tool. */
  idempotencyKey?: string | undefined;
}

type Input = Record<string, unknown>;
type UnpreparedCall = Omit<Call<OperationId>, "prepared">;

/**
 * Returns the context of a call. Copies the fields one by one, because an object spread takes 15 % of the CPU
 * time of reading an empty inbox (docs/performance-internals.md).
 */
export function contextOf<Who extends Caller>(
  service: Service,
  caller: Who,
  requestId: string,
  signal: HoldSignal,
  record: RequestRecord = { heldMs: 0, trace: undefined },
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
    record,
  };
}

/**
 * Runs an operation. Never throws. Errors are returned together with the rate limits, because error responses
 * report the limits too, except those of the credential.
 */
export async function invoke(operation: Operation, ctx: Context, invocation: Invocation): Promise<Outcome> {
  try {
    const handler = handlers[operation.id as OperationId] as unknown as Handler<OperationId>;
    const { input, idempotency } = await checkInput(operation, handler, ctx, invocation);
    switch (handler.kind) {
      case "read":
        return await runRead(operation, handler, ctx, input);
      case "stream":
        return {
          lines: await handler.run(ctx as never, input as never),
          limits: await limitsOf(operation, ctx),
        };
      case "write": {
        const call = { ctx, input, idempotency } as UnpreparedCall;
        const written = await runWrite(operation, handler, call);
        if (written.error instanceof CallerRefused) throw written.error;
        const limits = written.limits ?? (await limitsAfter(operation, ctx));
        ctx.record.limits = limits;
        const outcome = await complete(handler, ctx, input, written);
        return { ...outcome, limits: outcome === written ? limits : await limitsAfter(operation, ctx) };
      }
    }
  } catch (error) {
    const limits = error instanceof CallerRefused ? [] : await limitsAfter(operation, ctx);
    return { error: error instanceof Error ? error : new Error(String(error)), limits };
  }
}

/**
 * Returns the valid input of a call. Throws 400, unless the credential of a write has ended while the body
 * arrived.
 */
async function checkInput(
  operation: Operation,
  handler: Handler<OperationId>,
  ctx: Context,
  { input, idempotencyKey }: Invocation,
): Promise<{ input: Input; idempotency: IdempotencyRequest | undefined }> {
  try {
    if (input instanceof WireroomError) throw input;
    const valid = validateInput(operation, input);
    return { input: valid, idempotency: toIdempotencyRequest(operation, valid, idempotencyKey) };
  } catch (error) {
    if (handler.kind === "write") await assertCallerStillValid(ctx);
    throw error;
  }
}

async function limitsOf(
  { limits: names }: Operation,
  { caller, store, limits }: Context,
): Promise<LimitState[]> {
  if (names.length === 0 || caller.kind !== "agent") return [];
  return readLimitStates(store.engine.reader, limits, names, caller, now());
}

/**
 * Returns the limits after a write or an error, or none if they cannot be read: a write that was committed
 * must not be answered with an error.
 */
function limitsAfter(operation: Operation, ctx: Context): Promise<LimitState[]> {
  return limitsOf(operation, ctx).catch(() => []);
}

async function runRead(
  operation: Operation,
  handler: ReadHandler<OperationId>,
  ctx: Context,
  input: Input,
): Promise<Outcome> {
  const answer = await handler.run(ctx as never, input as never, ctx.store.engine.reader);
  const body = encodeJsonText(answer);
  ctx.store.verification.assertValid(body);
  await linkToSenders(ctx, body);
  const limits = operation.limits.length === 0 ? [] : await limitsOf(operation, ctx);
  return { body, limits };
}

async function runWrite(
  operation: Operation,
  handler: WriteHandler<OperationId>,
  call: UnpreparedCall,
): Promise<CallOutcome> {
  if (!handler.runInTurn) return prepareAndRun(operation, handler, call);
  let hasBegun = false;
  const run = () => {
    hasBegun = true;
    return prepareAndRun(operation, handler, call);
  };
  try {
    return await handler.runInTurn(call.ctx, call.input, run);
  } catch (error) {
    if (hasBegun) throw error;
    return replayOrThrow(operation, call, error);
  }
}

/**
 * Throws 401 or 403 if the credential of the caller has become invalid since authentication. Time may have
 * passed since then: a body arrives after its headers, and a payload may wait for its validation.
 */
function assertCallerStillValid({ authenticator, caller }: Context): Promise<void> {
  return authenticator.assertStillValid(caller as Agent | Human);
}

/**
 * Completes a successful response after the commit. The limits are then read again, because time has passed.
 */
async function complete(
  handler: WriteHandler<OperationId>,
  ctx: Context,
  input: Input,
  outcome: CallOutcome,
): Promise<CallOutcome> {
  if (!handler.complete || typeof outcome.body !== "string") return outcome;
  const body = await handler.complete(ctx as never, input as never, outcome.body);
  if (body === outcome.body) return outcome;
  // The write is committed, so its trace may lack these links.
  await linkToSenders(ctx, body).catch(() => undefined);
  return { body };
}

/** Records how long a transaction had to wait, and how long it took. */
function recordTransaction({ trace, transactionAtMs }: RequestRecord, startedMs: number): void {
  const beganMs = transactionAtMs ?? startedMs;
  trace?.record("store.wait", startedMs, beganMs);
  trace?.record("store.transaction", beganMs);
}

/** Maximum number of attempts for a call whose preparation becomes stale because of concurrent commits. */
const MAX_ATTEMPTS = 10;

async function prepareAndRun(
  operation: Operation,
  handler: WriteHandler<OperationId>,
  call: UnpreparedCall,
): Promise<CallOutcome> {
  let stale: StalePreparation | undefined;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    let prepared: unknown;
    try {
      prepared = await handler.prepare(call.ctx, call.input, stale);
    } catch (error) {
      return replayOrThrow(operation, call, error);
    }
    await assertCallerStillValid(call.ctx);
    const startedMs = call.ctx.record.trace && monotonicMs();
    const result = await runInTransaction(operation, handler, { ...call, prepared });
    if (startedMs !== undefined) recordTransaction(call.ctx.record, startedMs);
    if (!(result instanceof StalePreparation)) return result;
    stale = result;
  }
  throw new StoreUnavailable("too many concurrent changes", { cause: stale });
}

/**
 * Returns the stored response of a repeated request, which takes precedence over an error before its
 * transaction. Throws the error if there is none.
 */
async function replayOrThrow(
  operation: Operation,
  call: UnpreparedCall,
  error: unknown,
): Promise<CallOutcome> {
  await assertCallerStillValid(call.ctx);
  const replayed = await findReplay(operation, call);
  if (replayed === undefined) throw error;
  return { body: replayed };
}

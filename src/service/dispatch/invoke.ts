/**
 * Runs operations for REST and MCP. Callers authenticate first, because 401 and 403 take precedence over
 * other errors. Each call validates the input, runs the handler and reports the rate limits.
 */
import { WireroomError } from "../../contract/errors.js";
import type { OperationId } from "../../contract/index.js";
import type { LimitState } from "../../contract/limits.js";
import type { Operation } from "../../contract/operation.js";
import { now } from "../../kernel/clock.js";
import { encodeJsonText, type JsonText, jsonToString } from "../../kernel/raw-json.js";
import type { HoldSignal } from "../../store/engine/notifier.js";
import { traceparentsOf } from "../../store/wires/traces.js";
import { CallerRefused } from "../pipeline/authenticate.js";
import type { Call, ContextOf, Outcome } from "../pipeline/call.js";
import type { Caller } from "../pipeline/caller.js";
import type { Context, RequestRecord, Service } from "../pipeline/context.js";
import type { Handler, ReadHandler, WriteHandler } from "../pipeline/handler.js";
import { toIdempotencyRequest, validateInput } from "../pipeline/input.js";
import { readLimitStates } from "../pipeline/rate-limits.js";
import { handlers } from "./handlers.js";

export interface Invocation {
  /** The path, query and body fields as one object, or the error if the request could not be parsed. */
  input: Record<string, unknown> | WireroomError;
  /** The `Idempotency-Key` header, or an MCP tool's `idempotency_key` argument. */
  idempotencyKey?: string | undefined;
}

/**
 * Returns the context of a call. Copies the fields one by one, because an object spread is much slower and
 * every request pays for it (docs/performance-internals.md).
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
    pulls: service.pulls,
    limits: service.limits,
    sendsMails: service.sendsMails,
    baseUrl: service.baseUrl,
    stopping: service.stopping,
    caller,
    requestId,
    signal,
    record,
  };
}

/**
 * Runs an operation. Returns errors instead of throwing them, because error responses also report the rate
 * limits. Only credential errors omit the limits.
 */
export async function invoke(operation: Operation, ctx: Context, invocation: Invocation): Promise<Outcome> {
  try {
    if (!isOperationId(operation.id)) throw new Error(`no handler of ${operation.id}`);
    return await invokeHandler(operation.id, operation, ctx, invocation);
  } catch (error) {
    const limits = error instanceof CallerRefused ? [] : await limitsAfter(operation, ctx);
    return { error: error instanceof Error ? error : new Error(String(error)), limits };
  }
}

function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(handlers, id);
}

async function invokeHandler<Id extends OperationId>(
  id: Id,
  operation: Operation,
  ctx: Context,
  invocation: Invocation,
): Promise<Outcome> {
  const handler: Handler<Id> = handlers[id];
  if (!hasCallerOf(id, operation, ctx)) throw new Error(`${id} was called by a ${ctx.caller.kind}`);
  const call = await toCall(id, operation, handler, ctx, invocation);
  switch (handler.kind) {
    case "read":
      return runRead(operation, handler, call);
    case "stream":
      return { lines: await handler.run(ctx, call.input), limits: await limitsOf(operation, ctx) };
    case "write":
      return runWrite(operation, handler, call);
  }
}

function hasCallerOf<Id extends OperationId>(
  _id: Id,
  { auth }: Operation,
  ctx: Context,
): ctx is ContextOf<Id> {
  return (ctx.caller.kind === "agent") === (auth === "key");
}

/**
 * Validates the input and returns the call. Throws 400 for invalid input. For a write, throws 401 or 403
 * instead if the credential became invalid while the body arrived.
 */
async function toCall<Id extends OperationId>(
  id: Id,
  operation: Operation,
  { kind }: Handler<Id>,
  ctx: ContextOf<Id>,
  { input, idempotencyKey }: Invocation,
): Promise<Call<Id>> {
  try {
    if (input instanceof WireroomError) throw input;
    const valid = validateInput(id, operation, input);
    return { ctx, input: valid, idempotency: toIdempotencyRequest(operation, valid, idempotencyKey) };
  } catch (error) {
    if (kind === "write") await ctx.authenticator.assertStillValid(ctx.caller);
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
 * Returns the limits after a write or an error. Returns an empty list if the limits cannot be read, because a
 * failed read must not turn a committed write into an error.
 */
function limitsAfter(operation: Operation, ctx: Context): Promise<LimitState[]> {
  return limitsOf(operation, ctx).catch(() => []);
}

async function runRead<Id extends OperationId>(
  operation: Operation,
  handler: ReadHandler<Id>,
  { ctx, input }: Call<Id>,
): Promise<Outcome> {
  const answer = await handler.run(ctx, input, ctx.store.engine.reader);
  const body = encodeJsonText(answer);
  ctx.store.verification.assertValid(body);
  await linkToSenders(ctx, body);
  const limits = operation.limits.length === 0 ? [] : await limitsOf(operation, ctx);
  return { body, limits };
}

/**
 * Commits a write, and then completes its response, for example by waiting for a reply. If the response
 * changes, reads the rate limits again.
 */
async function runWrite<Id extends OperationId>(
  operation: Operation,
  handler: WriteHandler<Id>,
  call: Call<Id>,
): Promise<Outcome> {
  const { ctx, input } = call;
  const written = await handler.run(call);
  if (written.error instanceof CallerRefused) throw written.error;
  const limits = written.limits ?? (await limitsAfter(operation, ctx));
  ctx.record.limits = limits;
  if (!handler.complete || typeof written.body !== "string") return { ...written, limits };
  const body = await handler.complete(ctx, input, written.body);
  if (body === written.body) return { body, limits };
  // Ignore a failure to link the trace, because the write is already committed.
  await linkToSenders(ctx, body).catch(() => undefined);
  return { body, limits: await limitsAfter(operation, ctx) };
}

interface WithWires {
  id?: string;
  thread_id?: string;
  wires?: readonly { id: string }[];
  reply?: { id: string } | null;
}

/**
 * Links the request's trace to the traces of the requests that sent the wires in the response. Does so only
 * for recorded requests, because finding the wires requires parsing the response.
 */
async function linkToSenders({ record, store }: Context, body: JsonText): Promise<void> {
  const { trace } = record;
  if (!trace?.isRecorded) return;
  const ids = wireIdsIn(JSON.parse(jsonToString(body)) as WithWires);
  if (ids.length > 0) trace.link(await traceparentsOf(store.engine.reader, ids));
}

function wireIdsIn({ id, thread_id, wires, reply }: WithWires): string[] {
  if (wires) return wires.map((wire) => wire.id);
  if (reply) return [reply.id];
  return id !== undefined && thread_id !== undefined ? [id] : [];
}

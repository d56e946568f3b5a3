/**
 * The one way into an operation, for every surface: input, limits, idempotency, transaction, handler (the caller is
 * known by then, as 401 and 403 come first).
 */
import { WireroomError } from "../contract/errors.js";
import type { OperationId } from "../contract/index.js";
import { RATE_LIMITS } from "../contract/limits.js";
import type { Operation } from "../contract/operation.js";
import { EgressBlocked } from "../domain/egress.js";
import { now } from "../kernel/clock.js";
import { encodeBody, encodeJson, encodeQuoted } from "../kernel/verbatim.js";
import { StoreUnavailable, type Transaction } from "../store/engine.js";
import { remember } from "../store/idempotency.js";
import { assertServing } from "./authenticate.js";
import { recordBlocked } from "./blocked-egress.js";
import type { Context } from "./context.js";
import {
  type Handler,
  type IdempotencyRequest,
  type Outcome,
  type ReadHandler,
  Stale,
  type WriteHandler,
} from "./handler.js";
import { handlers } from "./handlers.js";
import { idempotencyRequest, rememberedKey, replayOf } from "./idempotency.js";
import { checkLimits } from "./rate-limits.js";
import { validateInput } from "./validate-input.js";

export interface Invocation {
  /** The flat input, or what was wrong with the request that should have carried it. */
  input: Record<string, unknown> | WireroomError;
  /** Of the `Idempotency-Key` header or the tool's `idempotency_key`. */
  idempotencyKey?: string | undefined;
}

/** Runs an operation. Never throws: what went wrong is the outcome's error, with the limits beside it. */
export async function invoke(operation: Operation, ctx: Context, invocation: Invocation): Promise<Outcome> {
  try {
    if (invocation.input instanceof WireroomError) throw invocation.input;
    const input = validateInput(operation, invocation.input);
    const idempotency = idempotencyRequest(operation, input, invocation.idempotencyKey);
    const handler = handlers[operation.id as OperationId] as unknown as Handler<OperationId>;
    if (handler.kind === "batched") return await handler.run(ctx as never, input as never, idempotency);
    if (handler.kind === "stream") {
      return {
        lines: await handler.run(ctx as never, input as never),
        limits: await limitsOf(operation, ctx),
      };
    }
    const done =
      handler.kind === "read"
        ? await runRead(handler, ctx, input)
        : { body: await runInTurn(operation, handler, ctx, input, idempotency) };
    return { ...done, limits: await limitsOf(operation, ctx) };
  } catch (error) {
    const limits = await limitsOf(operation, ctx).catch(() => []);
    return { error: error instanceof Error ? error : new Error(String(error)), limits };
  }
}

async function limitsOf(operation: Operation, ctx: Context) {
  if (operation.limits.length === 0 || ctx.caller.kind !== "agent") return [];
  return (await checkLimits(ctx.store.engine.reader, ctx.limits, ctx.caller, operation.limits, now())).states;
}

async function runRead(
  handler: ReadHandler<OperationId>,
  ctx: Context,
  input: Record<string, unknown>,
): Promise<Pick<Outcome, "body" | "quoted">> {
  const answer = await handler.run(ctx as never, input as never, ctx.store.engine.reader);
  return { body: encodeBody(answer), ...(ctx.quoted && { quoted: encodeQuoted(answer) }) };
}

function runInTurn(...call: Parameters<typeof runWrite>): Promise<string> {
  const [, handler, ctx, input] = call;
  const turn = handler.turnOf?.(ctx as never, input as never);
  return turn === undefined ? runWrite(...call) : ctx.mutex.run(turn, () => runWrite(...call));
}

/** Times that an operation is prepared anew when another daemon commits in between. */
const MAX_ATTEMPTS = 10;

async function runWrite(
  operation: Operation,
  handler: WriteHandler<OperationId>,
  ctx: Context,
  input: Record<string, unknown>,
  idempotency: IdempotencyRequest | undefined,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const replayed = idempotency && (await replayOf(ctx.store.engine.reader, operation, ctx, idempotency));
      if (replayed !== undefined) return replayed;
      const prepared = await handler.prepare(ctx as never, input as never);
      const done = await ctx.store.engine.write(
        (tx) => writeOnce(operation, handler, ctx, input, idempotency, tx, prepared),
        locksCaller(operation, idempotency) ? ctx.caller.account.id : undefined,
      );
      if (done instanceof EgressBlocked) throw done;
      return done;
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw new StoreUnavailable("too many concurrent changes", { cause: error });
    }
  }
}

/** The body; or a refusal by the egress policy, which commits what the audit log says of it. */
async function writeOnce(
  operation: Operation,
  handler: WriteHandler<OperationId>,
  ctx: Context,
  input: Record<string, unknown>,
  idempotency: IdempotencyRequest | undefined,
  tx: Transaction,
  prepared: unknown,
): Promise<string | EgressBlocked> {
  if (locksCaller(operation, idempotency)) {
    await lockCaller(tx, operation, ctx, handler.alsoLocks?.(input as never) ?? []);
  }
  if (ctx.caller.kind === "agent") await assertServing(tx, ctx.caller);
  const done = idempotency && (await replayOf(tx, operation, ctx, idempotency));
  if (done !== undefined) return done;
  const limited = await refusalOf(operation, ctx, tx);
  let body: string;
  try {
    body = encodeJson(
      await preferring(limited, () => handler.run(ctx as never, input as never, tx, prepared)),
    );
  } catch (error) {
    if (!(error instanceof EgressBlocked)) throw error;
    // It is thrown before anything is written, so the entry is all that is committed.
    await recordBlocked(ctx, tx, operation, error, idempotency);
    return error;
  }
  if (idempotency) {
    const outcome = {
      ...rememberedKey(operation, ctx, idempotency),
      request: idempotency.hash,
      response: body,
    };
    await remember(tx, [outcome], now());
  }
  return body;
}

function locksCaller(operation: Operation, idempotency: IdempotencyRequest | undefined): boolean {
  return idempotency !== undefined || operation.limits.length > 0;
}

/** Calls of one caller that count against its limits, or carry a key, are judged one after the other on all daemons. */
async function lockCaller(
  tx: Transaction,
  operation: Operation,
  { caller }: Context,
  others: readonly string[],
): Promise<void> {
  const isByAccount = operation.limits.some((name) => RATE_LIMITS[name].subject === "account");
  if (caller.kind === "human" || isByAccount) await tx.lock("accounts", "pk", [caller.account.pk]);
  if (caller.kind === "agent") await tx.lock("handles", "slug", [caller.slug, ...others]);
}

async function refusalOf(operation: Operation, ctx: Context, tx: Transaction): Promise<WireroomError | null> {
  if (operation.limits.length === 0 || ctx.caller.kind !== "agent") return null;
  return (await checkLimits(tx, ctx.limits, ctx.caller, operation.limits, now())).refusal;
}

/** The order in which refusals win: a 400 before the 429, and that before everything else (decisions, section 4). */
async function preferring<Result>(
  limited: WireroomError | null,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!limited) return work();
  try {
    await work();
  } catch (error) {
    if (!(error instanceof WireroomError) || error.code === "VALIDATION_ERROR") throw error;
  }
  throw limited;
}

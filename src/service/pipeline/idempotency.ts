/** `Idempotency-Key`: the same request has its effect once (decisions, section 2). */
import type { Operation } from "../../contract/operation.js";
import { now } from "../../kernel/clock.js";
import { type RememberedKey, recall } from "../../store/idempotency.js";
import type { Context } from "./context.js";
import type { IdempotencyRequest } from "./handler.js";
import { refusedKey } from "./input.js";

/** Under which name an outcome is remembered: REST and MCP share it. */
export function rememberedKey(
  operation: { id: string },
  ctx: Context,
  { key }: IdempotencyRequest,
): RememberedKey {
  const caller = ctx.caller.kind === "agent" ? ctx.caller.id : ctx.caller.account.id;
  return { caller, operation: operation.id, key };
}

/** The first outcome of a request that may have had one, read outside of any transaction. */
export async function replayOf(
  operation: Operation,
  { ctx, idempotency }: { ctx: Context; idempotency: IdempotencyRequest | undefined },
): Promise<string | undefined> {
  if (!idempotency) return undefined;
  const key = rememberedKey(operation, ctx, idempotency);
  const remembered = await recall(ctx.store.engine.reader, key, now());
  return remembered && replay(remembered, idempotency);
}

/** The first outcome, where the request is the same. Throws 400 where another went under the key. */
export function replay(
  remembered: { request: string; response: string },
  request: IdempotencyRequest,
): string {
  if (remembered.request === request.hash) return remembered.response;
  throw refusedKey(
    "this idempotency key was used for a different request within the last 24 hours; choose another",
  );
}

/**
 * Replays the stored response when a request repeats an `Idempotency-Key`
 * (docs/specification/requests.md#idempotency).
 */
import type { Operation } from "../../contract/operation.js";
import { now } from "../../kernel/clock.js";
import { assertValidJson } from "../../kernel/raw-json.js";
import { findStoredResponse, type IdempotencyKey } from "../../store/idempotency.js";
import type { IdempotencyRequest } from "./call.js";
import type { Context } from "./context.js";
import { invalidIdempotencyKey } from "./input.js";

/**
 * Returns the key that a response is stored under. REST and MCP share keys, so that a client can retry over
 * either protocol.
 */
export function idempotencyRecordKey(
  operation: { id: string },
  ctx: Context,
  { key }: IdempotencyRequest,
): IdempotencyKey {
  const caller = ctx.caller.kind === "agent" ? ctx.caller.id : ctx.caller.account.id;
  return { caller, operation: operation.id, key };
}

export async function findReplay(
  operation: Operation,
  { ctx, idempotency }: { ctx: Context; idempotency: IdempotencyRequest | undefined },
): Promise<string | undefined> {
  if (!idempotency) return undefined;
  const key = idempotencyRecordKey(operation, ctx, idempotency);
  const stored = await findStoredResponse(ctx.store.engine.reader, key, now());
  return stored && replayResponse(stored, idempotency);
}

/** Returns the response stored for an idempotency key. Throws 400 if another request used the key. */
export function replayResponse(
  stored: { request: string; response: string },
  request: IdempotencyRequest,
): string {
  if (stored.request === request.hash) {
    assertValidJson(stored.response);
    return stored.response;
  }
  throw invalidIdempotencyKey(
    "this idempotency key was used for a different request within the last 24 hours; choose another",
  );
}

/** `Idempotency-Key`: the same request has its effect once (decisions, section 2). */
import { invalid } from "../../contract/errors.js";
import type { Operation } from "../../contract/operation.js";
import { now } from "../../kernel/clock.js";
import { canonicalJson, sha256 } from "../../kernel/hash.js";
import { type RememberedKey, recall } from "../../store/idempotency.js";
import type { Context } from "./context.js";
import type { IdempotencyRequest } from "./handler.js";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** What a key asks for; undefined without one, and for an operation that ignores it. Throws on a malformed key. */
export function idempotencyRequest(
  operation: Operation,
  input: Record<string, unknown>,
  key: string | undefined,
): IdempotencyRequest | undefined {
  if (key === undefined || !operation.idempotent) return undefined;
  if (!IDEMPOTENCY_KEY.test(key))
    throw refused("the idempotency key must be 1 to 128 visible ASCII characters");
  return { key, hash: sha256(canonicalJson(input)) };
}

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
  throw refused(
    "this idempotency key was used for a different request within the last 24 hours; choose another",
  );
}

function refused(message: string) {
  return invalid({ instancePath: "", keyword: "idempotency_key", message });
}

import type { EgressBlocked } from "../domain/egress.js";
import { now } from "../kernel/clock.js";
import type { Transaction } from "../store/engine.js";
import { recall, remember } from "../store/idempotency.js";
import type { Context, Sender } from "./context.js";
import type { IdempotencyRequest } from "./handler.js";
import { rememberedKey } from "./idempotency.js";
import { record } from "./record.js";

/**
 * Writes a refusal by the egress policy into the audit log (decisions, section 9): once, however often a client that lost
 * the answer repeats the request under its idempotency key.
 */
export async function recordBlocked(
  ctx: Context,
  tx: Transaction,
  operation: { id: string },
  refusal: EgressBlocked,
  idempotency: IdempotencyRequest | undefined,
): Promise<void> {
  if (idempotency && (await isRecorded(ctx, tx, operation, idempotency))) return;
  const { pk, account } = ctx.caller as Sender;
  await record(ctx, tx, {
    account: account.pk,
    handle: pk,
    action: "egress.blocked",
    subject: refusal.target,
    outcome: refusal.code,
  });
}

/** Whether this very request was refused before; from now on it was. */
async function isRecorded(
  ctx: Context,
  tx: Transaction,
  operation: { id: string },
  idempotency: IdempotencyRequest,
): Promise<boolean> {
  // Not under the operation's own name: a refusal is no outcome that a replay would be answered with.
  const key = rememberedKey({ id: `${operation.id} blocked` }, ctx, idempotency);
  const before = await recall(tx, key, now());
  if (before?.request === idempotency.hash) return true;
  await remember(tx, [{ ...key, request: idempotency.hash, response: "" }], now());
  return false;
}

/** The rows that a transaction of the pipeline locks before it reads anything. */
import type { OperationId } from "../../contract/index.js";
import { RATE_LIMITS } from "../../contract/limits.js";
import type { Operation } from "../../contract/operation.js";
import type { Transaction } from "../../store/engine/engine.js";
import { inOneRoundTrip } from "../../store/engine/selects.js";
import { lockCrowdedAccounts } from "../../store/limits/account-usage.js";
import type { Caller } from "./caller.js";
import type { Call, WriteHandler } from "./handler.js";
import { accountLimits } from "./rate-limits.js";

type AnyCall = Call<OperationId>;
type AnyHandler = WriteHandler<OperationId>;

/**
 * Returns whether the transaction locks the caller's row. The lock makes the caller's calls run one at a time
 * across all daemons. Rate limits, the limit of audited actions and idempotency keys need this order.
 */
function locksCaller(operation: Operation, { idempotency }: AnyCall): boolean {
  return idempotency !== undefined || operation.limits.length > 0 || operation.auditedError !== undefined;
}

/**
 * Locks the callers and the rows of `Locks`, with one statement per table. The order of the tables is fixed,
 * to avoid deadlocks.
 */
export async function lockAll(
  tx: Transaction,
  operation: Operation,
  handler: AnyHandler,
  calls: readonly AnyCall[],
): Promise<void> {
  // SQLite needs no row locks, because it runs one write transaction at a time.
  if (tx.engine === "sqlite") return;
  const isByAccount = operation.limits.some((name) => RATE_LIMITS[name].subject === "account");
  const accounts: number[] = [];
  const crowded: number[] = [];
  const handles: string[] = [];
  const spaces: string[] = [];
  const settings = calls[0]!.ctx.limits;
  const hasAccountLimits = accountLimits(settings, operation.limits).length > 0;
  for (const call of calls) {
    const { caller } = call.ctx as { caller: Caller };
    if (locksCaller(operation, call)) {
      if (caller.kind === "human" || isByAccount) accounts.push(caller.account.pk);
      else if (hasAccountLimits) crowded.push(caller.account.pk);
      if (caller.kind === "agent") handles.push(caller.slug);
    }
    const locks = handler.locks?.(call);
    handles.push(...(locks?.handles ?? []));
    spaces.push(...(locks?.spaces ?? []));
  }
  await inOneRoundTrip([
    tx.lock("accounts", "pk", accounts),
    lockCrowdedAccounts(tx, crowded, settings.account_factor!),
    tx.lock("handles", "slug", handles),
    // Again, because an account may have got the handle that makes it crowded while the handles were locked.
    lockCrowdedAccounts(tx, crowded, settings.account_factor!),
    tx.lock("spaces", "slug", spaces),
  ]);
}

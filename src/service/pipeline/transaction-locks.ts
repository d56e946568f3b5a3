/** Locks rows at the start of a pipeline transaction, before it reads anything. */
import type { OperationId } from "../../contract/index.js";
import { RATE_LIMITS } from "../../contract/limits.js";
import type { Operation } from "../../contract/operation.js";
import type { Transaction } from "../../store/engine/engine.js";
import { inOneRoundTrip } from "../../store/engine/selects.js";
import { lockCrowdedAccounts } from "../../store/limits/account-usage.js";
import { lockHandlesAndSenders } from "../../store/posting/notified.js";
import type { Call } from "./call.js";
import type { Caller } from "./caller.js";
import { accountLimits } from "./rate-limits.js";

/**
 * The rows to lock: slugs of handles and spaces, and ids of wires. They are locked in this order, to avoid
 * deadlocks.
 */
export interface Locks {
  handles?: readonly string[];
  /** Ids of wires whose senders are locked with the handles. */
  sendersOf?: readonly string[];
  spaces?: readonly string[];
  wires?: readonly string[];
}

/**
 * Returns whether the transaction must lock the caller's row. The lock makes the caller's calls run one at a
 * time across all daemons, which rate limits, audit limits and idempotency keys rely on.
 */
function locksCaller(operation: Operation, idempotency: Call["idempotency"]): boolean {
  return idempotency !== undefined || operation.limits.length > 0 || operation.auditedError !== undefined;
}

/**
 * Locks the callers if necessary, and then further rows. Each table takes one statement, in a fixed order to
 * avoid deadlocks.
 */
export async function lockForCalls<Id extends OperationId>(
  tx: Transaction,
  operation: Operation,
  calls: readonly Call<Id>[],
  further: readonly Locks[],
): Promise<void> {
  // SQLite needs no row locks, because it runs one write transaction at a time.
  if (tx.engine === "sqlite") return;
  const isByAccount = operation.limits.some((name) => RATE_LIMITS[name].subject === "account");
  const accounts: number[] = [];
  const crowded: number[] = [];
  const handles = further.flatMap((locks) => locks.handles ?? []);
  const sendersOf = further.flatMap((locks) => locks.sendersOf ?? []);
  const spaces = further.flatMap((locks) => locks.spaces ?? []);
  const wires = further.flatMap((locks) => locks.wires ?? []);
  const settings = calls[0]!.ctx.limits;
  const hasAccountLimits = accountLimits(settings, operation.limits).length > 0;
  for (const { ctx, idempotency } of calls) {
    if (!locksCaller(operation, idempotency)) continue;
    const caller: Caller = ctx.caller;
    if (caller.kind === "human" || isByAccount) accounts.push(caller.account.pk);
    else if (hasAccountLimits) crowded.push(caller.account.pk);
    if (caller.kind === "agent") handles.push(caller.slug);
  }
  await inOneRoundTrip([
    tx.lock("accounts", "pk", accounts),
    lockCrowdedAccounts(tx, crowded, settings.account_factor!),
    lockHandlesAndSenders(tx, handles, sendersOf),
    // Lock crowded accounts again. An account becomes crowded when it has so many handles that they share
    // limits, which may have happened while the handles were being locked.
    lockCrowdedAccounts(tx, crowded, settings.account_factor!),
    tx.lock("spaces", "slug", spaces),
    tx.lock("wires", "id", wires),
  ]);
}

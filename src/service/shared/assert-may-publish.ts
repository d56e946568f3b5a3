import { EgressBlockedError } from "../../domain/egress.js";
import { mayPublish } from "../../store/accounts/egress.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { Agent } from "../pipeline/caller.js";

/**
 * Throws EGRESS_BLOCKED if the caller's egress policy forbids changes that others can read
 * (docs/specification/dashboard-operations.md#publishing). Call this before the transaction's first write,
 * because the refusal commits together with its audit entry. The caller's row must be locked.
 * @param subject the changed object, as named in the audit log
 * @param action the forbidden action, for the error message
 */
export async function assertMayPublish(
  tx: Transaction,
  caller: Agent,
  subject: string,
  action: string,
): Promise<void> {
  if (caller.isHuman || (await mayPublish(tx, caller.pk))) return;
  throw new EgressBlockedError(subject, action);
}

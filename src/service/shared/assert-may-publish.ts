import { EgressBlockedError } from "../../domain/egress.js";
import { mayPublish } from "../../store/accounts/egress.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { Agent } from "../pipeline/caller.js";

/**
 * Throws EGRESS_BLOCKED if the egress policy of the caller forbids changes that others can read
 * (docs/specification/dashboard-operations.md#publishing). Call it before the first write of the transaction,
 * because the refusal is committed with its audit entry. The caller's row must be locked.
 * @param subject the object of the change, as the audit log names it
 * @param action what the policy forbids, for the error message
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

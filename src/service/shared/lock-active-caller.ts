import type { Transaction } from "../../store/engine/engine.js";
import { assertActive } from "../pipeline/authenticate.js";
import type { Agent } from "../pipeline/caller.js";

/**
 * Locks the rows of the caller's handle and of other handles until the transaction ends. Throws 401 if the
 * caller was retired after authentication, or 403 if it was suspended.
 * @param others slugs of other handles that the operation changes. One statement locks all handles, to avoid
 *   deadlocks
 */
export async function lockActiveCaller(
  tx: Transaction,
  caller: Agent,
  others: readonly string[] = [],
): Promise<void> {
  await tx.lock("handles", "slug", [caller.slug, ...others]);
  await assertActive(tx, caller);
}

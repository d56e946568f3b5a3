import type { Transaction } from "../../store/engine/engine.js";
import { assertServing } from "../pipeline/authenticate.js";
import type { Agent } from "../pipeline/context.js";

/**
 * Holds the caller's handle, and with it those of other slugs, until the transaction ends: for what changes what a handle
 * is or has. Throws where it was suspended or retired just before.
 */
export async function lockServing(
  tx: Transaction,
  caller: Agent,
  others: readonly string[] = [],
): Promise<void> {
  await tx.lock("handles", "slug", [caller.slug, ...others]);
  await assertServing(tx, caller);
}

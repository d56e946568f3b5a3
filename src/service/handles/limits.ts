/** Limits on an account's handles and a handle's keys (docs/specification/limits.md#accounts-and-handles). */
import { WireroomError } from "../../contract/errors.js";
import { windowUsedUp } from "../../domain/rate-limits.js";
import { HOUR, now, SECOND } from "../../kernel/clock.js";
import type { Transaction } from "../../store/engine/engine.js";
import { handlePks, hasLiveHandles, hasLiveKeys, nthNewestHandleAt } from "../../store/limits/counts.js";
import type { Context } from "../pipeline/context.js";

/** Throws 403 if the caller's account has too many handles. The account's row must be locked. */
export async function assertMayCreateHandle({ caller, limits }: Context, tx: Transaction): Promise<void> {
  const { pk } = caller.account;
  const { handles_per_account: most, handles_per_hour: perHour } = limits;
  if (most === 0 || perHour === 0)
    throw new WireroomError("FORBIDDEN", "this service does not allow any new handles");
  if (most !== null && (await hasLiveHandles(tx, pk, most))) {
    const message = `your account has ${most} handles or more, the limit handles_per_account; retire one first`;
    throw new WireroomError("FORBIDDEN", message);
  }
  if (perHour === null) return;
  const at = now();
  // After the clock is set back, some handles have creation times in the future. Ignore those, because they
  // would block the account until that time.
  const times = { after: at - HOUR, before: at + HOUR };
  const blockingAt = await nthNewestHandleAt(tx, pk, times, perHour);
  if (blockingAt !== undefined) {
    const limit = `the limit handles_per_hour of ${perHour} new handles per account`;
    throw windowUsedUp("FORBIDDEN", limit, HOUR / SECOND, blockingAt, at);
  }
}

/**
 * If the next new handle makes account-wide rate limits apply, locks all of the account's handles. The lock
 * waits for running calls, which do not lock the account because they have not seen the new handle
 * (src/store/limits/account-usage.ts).
 */
export async function lockHandlesBeforeTheyCountTogether(
  { caller, limits: { account_factor: factor } }: Context,
  tx: Transaction,
): Promise<void> {
  if (tx.engine === "sqlite" || factor === null) return;
  const pks = await handlePks(tx, caller.account.pk, factor + 1);
  if (pks.length === factor) await tx.lock("handles", "pk", pks);
}

/** Throws 403 if the handle has too many keys. The handle's row must be locked. */
export async function assertMayIssueKey(
  { limits: { keys_per_handle: most } }: Context,
  tx: Transaction,
  handle: { pk: number; resource: { slug: string } },
): Promise<void> {
  if (most === null) return;
  if (most === 0) throw new WireroomError("FORBIDDEN", "this service does not allow any new keys");
  if (!(await hasLiveKeys(tx, handle.pk, now(), most))) return;
  const message = `@${handle.resource.slug} has ${most} live keys or more, the limit keys_per_handle; revoke one first`;
  throw new WireroomError("FORBIDDEN", message);
}

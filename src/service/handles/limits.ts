/**
 * The limits on handles of an account and keys of a handle
 * (docs/specification/limits.md#accounts-and-handles).
 */
import { WireroomError } from "../../contract/errors.js";
import { windowUsedUp } from "../../domain/rate-limits.js";
import { HOUR, now, SECOND } from "../../kernel/clock.js";
import type { Transaction } from "../../store/engine/engine.js";
import { handlePks, hasLiveHandles, hasLiveKeys, nthNewestHandleAt } from "../../store/limits/counts.js";
import type { Context } from "../pipeline/context.js";

/** Throws 403 if the caller's account, which must be locked, has too many handles. */
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
  // Later handles are from before the clock was set back. They do not count until that time.
  const times = { after: at - HOUR, before: at + HOUR };
  const blockingAt = await nthNewestHandleAt(tx, pk, times, perHour);
  if (blockingAt !== undefined) {
    const limit = `the limit handles_per_hour of ${perHour} new handles per account`;
    throw windowUsedUp("FORBIDDEN", limit, HOUR / SECOND, blockingAt, at);
  }
}

/**
 * Waits for the calls of an account's handles, if the account gets so many handles that they count together
 * from the next one on. Calls that have not seen that handle do not lock the account
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

/** Throws 403 if the handle, which must be locked, has too many keys. */
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

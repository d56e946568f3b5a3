/** Deletes an account (docs/specification/dashboard-operations.md#deleting-the-account). */
import { invalid } from "../../contract/errors.js";
import { now, SECOND } from "../../kernel/clock.js";
import { type Identity, lockAccount, markDeleted } from "../../store/accounts/accounts.js";
import { forgetHuman } from "../../store/accounts/deletion.js";
import { enqueueErasureOfAccount } from "../../store/accounts/erasure.js";
import { liveHandles } from "../../store/accounts/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { keepSignedIn } from "../pipeline/authenticate.js";
import { preparedWrite } from "../pipeline/handler.js";
import { eraseRetiredOf, retireHandles } from "../shared/retire-handles.js";

/**
 * Allowed clock difference (docs/specification/identity.md#id-tokens). An ID token whose issue time is up to
 * this long after the deletion may really be older than the deletion, so it is rejected.
 */
const CLOCK_TOLERANCE_MS = 30 * SECOND;

/**
 * Deletes the account. One short transaction ends all access, retires all handles and erases the human's
 * identity. Many short transactions then erase the handles' rows.
 */
export const deleteAccount = preparedWrite("account.delete", {
  prepare: async () => undefined,

  async run(ctx, { email }, tx) {
    const { id, pk } = ctx.caller.account;
    // The lock keeps new handles out.
    const account = await lockAccount(tx, pk);
    // A concurrent request has already deleted the account.
    if (!account) return { id, deleted: true };
    const handles = await liveHandles(tx, pk);
    await tx.lock("handles", "pk", handles);
    // Lock the sign-in after the handles, in the same order as `keys.issue`, to avoid a deadlock.
    await keepSignedIn(tx, ctx.caller);
    assertIsAddress(email, account);
    // Read the handles again: one of them may have been retired before it was locked.
    await retireHandles(tx, await liveHandles(tx, pk));
    await enqueueErasureOfAccount(tx, pk);
    const at = now();
    const isEmbedded = await forgetHuman(tx, { pk, id, human: ctx.caller.human, at });
    // The embedded provider never reuses a subject, so reject the old one forever.
    const refusedBefore = isEmbedded ? Number.MAX_SAFE_INTEGER : at + CLOCK_TOLERANCE_MS;
    await markDeleted(tx, account, { at, refusedBefore });
    logAuditEvents(ctx, tx, {
      account: pk,
      handle: null,
      action: "account.deleted",
      subject: `account:${id}`,
    });
    return { id, deleted: true };
  },

  async complete(ctx, _input, body) {
    await eraseRetiredOf(ctx);
    return body;
  },
});

function assertIsAddress(email: string, account: Identity): void {
  if (email.trim().toLowerCase() === account.email.toLowerCase()) return;
  throw invalid({
    instancePath: "/email",
    keyword: "confirmation",
    message: "must be the e-mail address of the account, as a confirmation",
  });
}

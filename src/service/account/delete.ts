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
 * Clocks may differ by this (docs/specification/identity.md#id-tokens). So an ID token that seems to have
 * been issued this long after the deletion may have been issued before it.
 */
const CLOCK_TOLERANCE_MS = 30 * SECOND;

/**
 * One short transaction ends all access, retires all handles at once and erases who the human was. Then their
 * rows are erased in steps.
 */
export const deleteAccount = preparedWrite("account.delete", {
  prepare: async () => undefined,

  async run(ctx, { email }, tx) {
    const { id, pk } = ctx.caller.account;
    // The lock keeps new handles out.
    const account = await lockAccount(tx, pk);
    // Another request has deleted it in the meantime.
    if (!account) return { id, deleted: true };
    const handles = await liveHandles(tx, pk);
    await tx.lock("handles", "pk", handles);
    // Locks the sign-in after the handles, as `keys.issue` does, to avoid a deadlock.
    await keepSignedIn(tx, ctx.caller);
    assertIsAddress(email, account);
    // Read again, because a handle may have been retired before it was locked.
    await retireHandles(tx, await liveHandles(tx, pk));
    await enqueueErasureOfAccount(tx, pk);
    const at = now();
    const isEmbedded = await forgetHuman(tx, { pk, id, human: ctx.caller.human, at });
    // The embedded provider never uses a subject again.
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

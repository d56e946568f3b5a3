/** Reads the account and its audit log, and deletes the account. */

import { invalid } from "../../contract/errors.js";
import type { Account } from "../../contract/shapes.js";
import { now, SECOND } from "../../kernel/clock.js";
import { type Identity, lockAccount, markDeleted, setApprovalMails } from "../../store/accounts/accounts.js";
import { listAuditEntries } from "../../store/accounts/audit.js";
import { enqueueErasureOfAccount } from "../../store/accounts/erasure.js";
import { liveHandles } from "../../store/accounts/handles.js";
import { forgetHuman } from "../../store/accounts/identity-requests.js";
import { ownHandleIncludingRetired } from "../access/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { keepSignedIn } from "../pipeline/authenticate.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read, type WriteHandler, write } from "../pipeline/handler.js";
import { parseDateTime } from "../pipeline/input.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";
import { eraseAfterCommit, retireHandles } from "../retirement.js";

export const getAccount = read("account.get", async (ctx) => presentAccount(ctx, ctx.caller.account));

export const updateAccount = write("account.update", async (ctx, { approval_mails }, tx) => {
  const account = { ...ctx.caller.account, approvalMails: Number(approval_mails) };
  const changed = presentAccount(ctx, account);
  if (approval_mails && changed.approval_mails === null) {
    const message = ctx.sendsMails
      ? "cannot be true, because a local sign-in has no e-mail address; sign up with one"
      : "cannot be true, because this daemon has no mail server; its operator sets one with --smtp-url";
    throw invalid({ instancePath: "/approval_mails", keyword: "approval_mails", message });
  }
  await setApprovalMails(tx, account);
  return changed;
});

export function presentAccount(
  { sendsMails }: Context,
  { id, email, approvalMails }: Human["account"],
): Account {
  // A human who signs in without a password has an address at `localhost`, which receives no mail.
  const receivesMails = sendsMails && !email.endsWith("@localhost");
  return { id, email, approval_mails: receivesMails ? approvalMails === 1 : null };
}

export const listAudit = read("audit.list", async (ctx, input, session) => {
  const { action, except, limit = DEFAULT_PAGE_SIZE } = input;
  const { account } = ctx.caller;
  const since = input.since === undefined ? undefined : parseDateTime("since", input.since);
  const until = input.until === undefined ? undefined : parseDateTime("until", input.until);
  const handle =
    input.handle === undefined
      ? undefined
      : (await ownHandleIncludingRetired(session, account.pk, input.handle)).pk;
  const filters = [handle, action, except, since, until].map((filter) => String(filter ?? ""));
  const scope = ["audit.list", account.id, ...filters];
  const position = decodeCursor(ctx, scope, input.cursor);
  const before = position && { at: position[0]!, pk: position[1]! };
  const query = { account: account.pk, handle, action, except, since, until, before, limit: limit + 1 };
  const found = await listAuditEntries(session, query);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, (entry) => [entry.at, entry.pk]);
  return { entries: items.map((entry) => entry.resource), next_cursor };
});

/**
 * Allowed clock difference (docs/specification/identity.md#id-tokens). An ID token whose issue time is up to
 * this long after the deletion may really be older than the deletion, so it is rejected.
 */
const CLOCK_TOLERANCE_MS = 30 * SECOND;

/**
 * Deletes the account. One short transaction ends all access, retires all handles and erases the human's
 * identity. Many short transactions then erase the handles' rows.
 */
export const deleteAccount: WriteHandler<"account.delete"> = {
  ...write("account.delete", async (ctx, { email }, tx) => {
    const { id, pk } = ctx.caller.account;
    // The lock prevents other calls from adding handles to the account.
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
    // The daemon's own identity provider never reuses a deleted human's id, so sign-ins with this id stay
    // refused.
    const refusedBefore = isEmbedded ? Number.MAX_SAFE_INTEGER : at + CLOCK_TOLERANCE_MS;
    await markDeleted(tx, account, { at, refusedBefore });
    logAuditEvents(ctx, tx, {
      account: pk,
      handle: null,
      action: "account.deleted",
      subject: `account:${id}`,
    });
    return { id, deleted: true };
  }),
  complete: eraseAfterCommit,
};

function assertIsAddress(email: string, account: Identity): void {
  if (email.trim().toLowerCase() === account.email.toLowerCase()) return;
  throw invalid({
    instancePath: "/email",
    keyword: "confirmation",
    message: "must be the e-mail address of the account, as a confirmation",
  });
}

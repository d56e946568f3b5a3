/** Lets operators find and suspend any handle (docs/specification/dashboard-operations.md#operators). */

import { invalid } from "../../contract/errors.js";
import { isoTime, isoTimeOrNull, now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { endIssuedTokens } from "../../store/accounts/access-tokens.js";
import { lockAccount, setAccountSuspended } from "../../store/accounts/accounts.js";
import { liveHandles, markSuspended, type StoredHandle } from "../../store/accounts/handles.js";
import {
  anyHandles,
  isAccountSuspended,
  type ListedHandle,
  otherHandles,
  suspensionOf,
} from "../../store/accounts/operators.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { RoundTrip } from "../../store/engine/selects.js";
import { usageOf } from "../../store/limits/usage.js";
import { endClaimsOfSuspended } from "../../store/wires/claims.js";
import { assertOperator, handleByName } from "../access/handles.js";
import { logAuditEventForBothAccounts } from "../pipeline/audit.js";
import { read, write } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";

export const listAnyHandles = read("operator.listHandles", async (ctx, input, session) => {
  await assertOperator(ctx, session);
  const { q = "", suspended, limit = DEFAULT_PAGE_SIZE } = input;
  const text = handleSlug(q).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const scope = ["operator.listHandles", ctx.caller.id, JSON.stringify([text, suspended ?? null])];
  const found = await anyHandles(session, {
    text: text === "" ? undefined : text,
    isSuspended: suspended && suspended === "true",
    before: decodeCursor(ctx, scope, input.cursor)?.[0],
    limit: limit + 1,
  });
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
  return { handles: await withUsage(session, items), next_cursor };
});

export const getAnyHandle = read("operator.getHandle", async (ctx, input, session) => {
  await assertOperator(ctx, session);
  const { pk, account, suspendedAt, resource } = await handleByName(session, input.slug);
  const { id, slug, display_name, bio, tags, discoverable, created_at } = resource;
  const [usage] = await wiresLastDay(session, [{ pk, account }]);
  const suspension =
    suspendedAt === null ? undefined : await suspensionOf(session, { pk, account, slug }, suspendedAt);
  return {
    id,
    slug,
    display_name,
    discoverable,
    suspended_at: isoTimeOrNull(suspendedAt),
    created_at,
    wires_last_day: usage!,
    bio,
    tags,
    account_handles: await otherHandles(session, { pk, account }),
    account_suspended: await isAccountSuspended(session, account),
    suspended_by: suspension?.actor ?? null,
    suspended_reason: suspension?.reason ?? null,
  };
});

export async function withUsage(session: Session, handles: readonly ListedHandle[]) {
  const counts = await wiresLastDay(session, handles);
  return handles.map(({ id, slug, display_name, discoverable, suspended_at, created_at }, n) => ({
    id,
    slug,
    display_name,
    discoverable: discoverable === 1,
    suspended_at: isoTimeOrNull(suspended_at),
    created_at: isoTime(created_at),
    wires_last_day: counts[n]!,
  }));
}

async function wiresLastDay(
  session: Session,
  handles: readonly { pk: number; account: number }[],
): Promise<number[]> {
  const senders = handles.map(({ pk, account }) => ({ pk, account: { pk: account } }));
  const usage = await usageOf(new RoundTrip(session), ["wires_per_day"], senders, now());
  return usage.map(([perDay]) => perDay!.used);
}

export const setSuspended = write(
  "operator.setSuspended",
  async (ctx, { slug: name, suspended, account: isWholeAccount = false, reason }, tx) => {
    await assertOperator(ctx, tx);
    if (!isWholeAccount) await tx.lock("handles", "slug", [handleSlug(name)]);
    const handle = await handleByName(tx, name);
    const isOwn = isWholeAccount ? handle.account === ctx.caller.account.pk : handle.pk === ctx.caller.pk;
    if (isOwn) {
      const message = `an operator cannot suspend or restore itself; choose another ${isWholeAccount ? "account" : "handle"}`;
      throw invalid({ instancePath: "/slug", keyword: "slug", message });
    }
    const { slug } = handle.resource;
    const at = suspended ? now() : null;
    const isChanged = isWholeAccount
      ? await setWholeAccount(tx, handle, at)
      : await setHandles(tx, [handle.pk], at);
    if (isChanged) {
      const kind = isWholeAccount ? "account" : "handle";
      logAuditEventForBothAccounts(ctx, tx, {
        account: handle.account,
        handle: isWholeAccount ? null : handle.pk,
        action: suspended ? `${kind}.suspended` : `${kind}.restored`,
        subject: `@${slug}`,
        reason,
      });
    }
    tx.publish({ topic: "status", handle: handle.pk });
    return { slug, suspended };
  },
);

/** Suspends or restores all of an account's handles. A suspended account cannot create handles. */
async function setWholeAccount(
  tx: Transaction,
  { account }: StoredHandle,
  at: number | null,
): Promise<boolean> {
  // The lock prevents other calls from adding handles to the account.
  await lockAccount(tx, account);
  const handles = await liveHandles(tx, account);
  await tx.lock("handles", "pk", handles);
  const hasChanged = await setAccountSuspended(tx, account, at);
  return (await setHandles(tx, handles, at)) || hasChanged;
}

async function setHandles(tx: Transaction, handles: readonly number[], at: number | null): Promise<boolean> {
  const changed = await markSuspended(tx, handles, at);
  if (at !== null) {
    await endIssuedTokens(tx, changed, at);
    await endClaimsOfSuspended(tx, changed);
  }
  for (const handle of changed) tx.publish({ topic: "status", handle });
  return changed.length > 0;
}

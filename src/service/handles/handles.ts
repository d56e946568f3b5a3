/** Lists, creates and retires the handles of an account. */

import { WireroomError } from "../../contract/errors.js";
import { completeRule } from "../../domain/posting.js";
import { windowUsedUp } from "../../domain/rate-limits.js";
import { assertSlugAvailable, type SlugHolder } from "../../domain/slugs.js";
import { HOUR, now, SECOND } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/names.js";
import { lockAccount } from "../../store/accounts/accounts.js";
import { endConnectionsOfHandles } from "../../store/accounts/connections.js";
import { updateEgressPolicy } from "../../store/accounts/egress.js";
import { enqueueErasure } from "../../store/accounts/erasure.js";
import {
  handleBySlugIncludingRetired,
  handlesOfAccount,
  insertHandle,
  type StoredHandle,
} from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { handlePks, hasLiveHandles, nthNewestHandleAt } from "../../store/limits/counts.js";
import { updateHandleListing } from "../../store/switchboard.js";
import { handleByNameIncludingRetired } from "../access/handles.js";
import { connectionEvent, logAuditEvents } from "../pipeline/audit.js";
import { accountDeleted, assertAccountActive } from "../pipeline/authenticate.js";
import type { Context } from "../pipeline/context.js";
import { preparedWrite, read, type WriteHandler, write } from "../pipeline/handler.js";
import { decodeCursor, LONG_PAGE_SIZE, toPage } from "../pipeline/pages.js";
import { validateRules } from "../posting/validate-rules.js";
import { eraseAfterCommit, retireHandles } from "../retirement.js";

export const listHandles = read("handles.list", async (ctx, { cursor, limit = LONG_PAGE_SIZE }, session) => {
  const { account } = ctx.caller;
  const scope = ["handles.list", account.id];
  const after = decodeCursor(ctx, scope, cursor)?.[0] ?? 0;
  const found = await handlesOfAccount(session, account.pk, after, limit + 1);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk], sizeOf);
  return { handles: items.map(({ resource }) => resource), next_cursor };
});

function sizeOf({ resource }: StoredHandle): number {
  return Buffer.byteLength(JSON.stringify(resource));
}

export const createHandle = creation(false);

/** Creates a handle that asks its human before it writes to somebody new. */
export const createAskingHandle = creation(true);

function creation(asksHuman: boolean): WriteHandler<"handles.create"> {
  return preparedWrite("handles.create", {
    prepare: (ctx, { inbox_rule }) => validateRules(ctx, { inbox_rule }),
    run: async (ctx, input, tx) => {
      const account = await lockAccount(tx, ctx.caller.account.pk);
      if (!account) throw accountDeleted();
      assertAccountActive(account);
      const existing = await handleBySlugIncludingRetired(tx, input.slug);
      assertSlugAvailable(input.slug, "handle", slugHolder(existing, ctx.caller.account.pk));
      await assertMayCreateHandle(ctx, tx);
      await lockHandlesBeforeTheyCountTogether(ctx, tx);
      const handle = await insertHandle(tx, {
        id: newId(),
        slug: input.slug,
        account: ctx.caller.account.pk,
        display_name: input.display_name ?? null,
        bio: input.bio ?? null,
        tags: input.tags ?? [],
        discoverable: input.discoverable ?? false,
        contact_policy: input.contact_policy ?? "open",
        inbox_rule: completeRule(input.inbox_rule),
        createdAt: now(),
      });
      await updateHandleListing(tx, handle);
      const subject = { account: account.pk, handle: handle.pk, subject: `@${input.slug}` };
      logAuditEvents(ctx, tx, { ...subject, action: "handle.created" });
      if (asksHuman) {
        await updateEgressPolicy(tx, handle.pk, { mode: "approval" });
        logAuditEvents(ctx, tx, { ...subject, action: "egress.changed", detail: "mode: open -> approval" });
      }
      return handle.resource;
    },
  });
}

function slugHolder(existing: StoredHandle | undefined, account: number): SlugHolder {
  if (!existing) return "nobody";
  if (existing.account !== account) return "another";
  return existing.retiredAt === null ? "caller" : "retired";
}

export const retireHandle: WriteHandler<"handles.retire"> = {
  ...write("handles.retire", async (ctx, input, tx) => {
    const slug = handleSlug(input.slug);
    await tx.lock("handles", "slug", [slug]);
    const handle = await handleByNameIncludingRetired(tx, slug);
    const account = ctx.caller.account.pk;
    if (handle.account !== account)
      throw new WireroomError("FORBIDDEN", `@${slug} belongs to another account`);
    const { pk, retiredAt } = handle;
    if (retiredAt === null) {
      await retireHandles(tx, [pk]);
      await enqueueErasure(tx, [pk]);
      const ended = await endConnectionsOfHandles(tx, [pk], now());
      logAuditEvents(
        ctx,
        tx,
        { account, handle: pk, action: "handle.retired", subject: `@${slug}` },
        ...ended.map((connection) => connectionEvent("connection.revoked", connection)),
      );
    } else {
      tx.publish({ topic: "status", handle: pk });
    }
    return { slug, retired: true };
  }),
  complete: eraseAfterCommit,
};

/** The account's row must already be locked. */
async function assertMayCreateHandle({ caller, limits }: Context, tx: Transaction): Promise<void> {
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
 * If the next new handle makes rate limits apply to the account as a whole, locks all of the account's
 * handles. The lock waits for running calls, which do not count against the account yet
 * (src/store/limits/account-usage.ts).
 */
async function lockHandlesBeforeTheyCountTogether(
  { caller, limits: { account_factor: factor } }: Context,
  tx: Transaction,
): Promise<void> {
  if (tx.engine === "sqlite" || factor === null) return;
  const pks = await handlePks(tx, caller.account.pk, factor + 1);
  if (pks.length === factor) await tx.lock("handles", "pk", pks);
}

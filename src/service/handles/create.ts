import { completeRule } from "../../domain/posting.js";
import { assertSlugAvailable, type SlugHolder } from "../../domain/slugs.js";
import { now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { lockAccount } from "../../store/accounts/accounts.js";
import {
  handleBySlugIncludingRetired,
  insertHandle,
  type StoredHandle,
} from "../../store/accounts/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { accountDeleted, assertAccountActive } from "../pipeline/authenticate.js";
import { preparedWrite } from "../pipeline/handler.js";
import { validateRules } from "../posting/validate-rules.js";
import { updateHandleListing } from "../shared/switchboard-listing.js";
import { assertMayCreateHandle, lockHandlesBeforeTheyCountTogether } from "./limits.js";

export const createHandle = preparedWrite("handles.create", {
  prepare: (ctx, { inbox_rule }) => validateRules(ctx, { inbox_rule }),

  async run(ctx, input, tx) {
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
    logAuditEvents(ctx, tx, {
      account: account.pk,
      handle: handle.pk,
      action: "handle.created",
      subject: `@${input.slug}`,
    });
    return handle.resource;
  },
});

function slugHolder(existing: StoredHandle | undefined, account: number): SlugHolder {
  if (!existing) return "nobody";
  if (existing.account !== account) return "another";
  return existing.retiredAt === null ? "caller" : "retired";
}

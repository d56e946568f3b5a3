import { completeRule } from "../../domain/posting.js";
import { now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { anyHandleBySlug, insertHandle } from "../../store/accounts/handles.js";
import { recordAudit } from "../pipeline/audit.js";
import { preparedWrite } from "../pipeline/handler.js";
import { checkRules } from "../posting/check-rule.js";
import { assertSlugFree } from "../shared/free-slug.js";
import { listHandle } from "../shared/list-on-switchboard.js";

export const createHandle = preparedWrite("handles.create", {
  prepare: (ctx, { inbox_rule }) => checkRules(ctx, { inbox_rule }),

  async run(ctx, input, tx) {
    assertSlugFree(input.slug, "handle", (await anyHandleBySlug(tx, input.slug)) !== undefined);
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
    await listHandle(tx, handle);
    const { pk, account } = handle;
    recordAudit(ctx, tx, { account, handle: pk, action: "handle.created", subject: `@${input.slug}` });
    return handle.resource;
  },
});

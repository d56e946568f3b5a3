import type { Handle } from "../../contract/shapes.js";
import { completeRule } from "../../domain/posting.js";
import { canonicalJson } from "../../kernel/hash.js";
import { handleByPk, updateHandle } from "../../store/accounts/handles.js";
import { setDeliveryReceipts } from "../../store/inbox/checkpoints.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { preparedWrite } from "../pipeline/handler.js";
import { validateRules } from "../posting/validate-rules.js";
import { assertMayPublish } from "../shared/assert-may-publish.js";
import { lockActiveCaller } from "../shared/lock-active-caller.js";
import { updateHandleListing } from "../shared/switchboard-listing.js";

export const updateProfile = preparedWrite("profile.update", {
  prepare: (ctx, { inbox_rule }) => validateRules(ctx, { inbox_rule }),

  async run(ctx, input, tx) {
    await lockActiveCaller(tx, ctx.caller);
    const { contact_policy: _contactPolicy, ...published } = input;
    if (Object.keys(published).length > 0)
      await assertMayPublish(
        tx,
        ctx.caller,
        `@${ctx.caller.slug}`,
        "changing your profile, except contact_policy",
      );
    const handle = (await handleByPk(tx, ctx.caller.pk))!;
    const { inbox_rule, ...fields } = input;
    const resource = {
      ...handle.resource,
      ...fields,
      inbox_rule: inbox_rule ? completeRule(inbox_rule) : handle.resource.inbox_rule,
    };
    await updateHandle(tx, handle.pk, resource);
    if (resource.delivery_receipts !== handle.resource.delivery_receipts)
      await setDeliveryReceipts(tx, handle.pk, resource.delivery_receipts);
    await updateHandleListing(tx, { ...handle, resource });
    if (policyOf(resource) !== policyOf(handle.resource)) {
      const { pk, account } = handle;
      const subject = `@${resource.slug}`;
      logAuditEvents(ctx, tx, { account, handle: pk, action: "policy.changed", subject });
    }
    return resource;
  },
});

/**
 * Returns the audited part of a profile as text, for comparison. This part defines who may contact the
 * handle, and with what content.
 */
function policyOf({ contact_policy, inbox_rule }: Pick<Handle, "contact_policy" | "inbox_rule">): string {
  return canonicalJson({ contact_policy, inbox_rule });
}

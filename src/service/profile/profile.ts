/** Returns and changes the caller's profile, and returns the caller's limits. */
import { LIMIT_NAMES } from "../../contract/limits.js";
import type { Handle } from "../../contract/shapes.js";
import { describeChanges } from "../../domain/describe-changes.js";
import { completeRule } from "../../domain/posting.js";
import { now } from "../../kernel/clock.js";
import { handleByPk, setSpaceNotices, updateHandle } from "../../store/accounts/handles.js";
import { setDeliveryReceipts } from "../../store/inbox/checkpoints.js";
import { updateHandleListing } from "../../store/switchboard.js";
import { assertMayPublish, lockActiveCaller } from "../access/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { preparedWrite, read } from "../pipeline/handler.js";
import { readLimitStates } from "../pipeline/rate-limits.js";
import { validateRules } from "../posting/validate-rules.js";

export const getProfile = read("profile.get", async (ctx, _input, session) => {
  const handle = await handleByPk(session, ctx.caller.pk);
  return handle!.resource;
});

export const getLimits = read("limits.get", async (ctx, _input, session) => ({
  limits: await readLimitStates(session, ctx.limits, LIMIT_NAMES, ctx.caller, now()),
}));

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
    if (resource.space_notices !== handle.resource.space_notices)
      await setSpaceNotices(tx, handle.pk, resource.space_notices);
    await updateHandleListing(tx, { ...handle, resource });
    const detail = describeChanges(policyOf(handle.resource), policyOf(resource));
    if (detail !== "") {
      const { pk, account } = handle;
      const subject = `@${resource.slug}`;
      logAuditEvents(ctx, tx, { account, handle: pk, action: "policy.changed", subject, detail });
    }
    return resource;
  },
});

/** Returns the audited part of a profile, which defines who may contact the handle, and with what content. */
function policyOf({ contact_policy, inbox_rule }: Handle) {
  return { contact_policy, inbox_rule };
}

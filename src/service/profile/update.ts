import type { Handle } from "../../contract/shapes.js";
import { completeRule } from "../../domain/posting.js";
import { canonicalJson } from "../../kernel/hash.js";
import { handleByPk, updateHandle } from "../../store/accounts/handles.js";
import { recordAudit } from "../pipeline/audit.js";
import { preparedWrite } from "../pipeline/handler.js";
import { checkRules } from "../posting/check-rule.js";
import { listHandle } from "../shared/list-on-switchboard.js";
import { lockServing } from "../shared/lock-serving.js";

export const updateProfile = preparedWrite("profile.update", {
  prepare: (ctx, { inbox_rule }) => checkRules(ctx, { inbox_rule }),

  async run(ctx, input, tx) {
    await lockServing(tx, ctx.caller);
    const handle = (await handleByPk(tx, ctx.caller.pk))!;
    const { inbox_rule, ...fields } = input;
    const resource = {
      ...handle.resource,
      ...fields,
      inbox_rule: inbox_rule ? completeRule(inbox_rule) : handle.resource.inbox_rule,
    };
    await updateHandle(tx, handle.pk, resource);
    await listHandle(tx, { ...handle, resource });
    if (policyOf(resource) !== policyOf(handle.resource)) {
      const { pk, account } = handle;
      const subject = `@${resource.slug}`;
      recordAudit(ctx, tx, { account, handle: pk, action: "policy.changed", subject });
    }
    return resource;
  },
});

/** Who may reach the handle, and with what: the part of the profile that the human's log tells of. */
function policyOf({ contact_policy, inbox_rule }: Pick<Handle, "contact_policy" | "inbox_rule">): string {
  return canonicalJson({ contact_policy, inbox_rule });
}

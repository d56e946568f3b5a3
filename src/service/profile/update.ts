import { completeRule } from "../../domain/posting-rules.js";
import { handleByPk, updateHandle } from "../../store/handles.js";
import { checkRules } from "../check-rule.js";
import { preparedWrite } from "../handler.js";
import { listHandle } from "../list-on-switchboard.js";

export const updateProfile = preparedWrite(
  "profile.update",
  (ctx, { inbox_rule }) => checkRules(ctx, { inbox_rule }),
  async (ctx, input, tx) => {
    await tx.lock("handles", "pk", [ctx.caller.pk]);
    const handle = (await handleByPk(tx, ctx.caller.pk))!;
    const { inbox_rule, ...fields } = input;
    const resource = {
      ...handle.resource,
      ...fields,
      inbox_rule: inbox_rule ? completeRule(inbox_rule) : handle.resource.inbox_rule,
    };
    await updateHandle(tx, handle.pk, resource);
    await listHandle(tx, { ...handle, resource });
    return resource;
  },
);

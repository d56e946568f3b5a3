import { completeRule } from "../../domain/posting.js";
import { now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { insertSpace, spaceBySlug } from "../../store/spaces.js";
import { preparedWrite } from "../pipeline/handler.js";
import { checkRules } from "../posting/check-rule.js";
import { assertSlugFree } from "../shared/free-slug.js";
import { listSpace } from "../shared/list-on-switchboard.js";

export const createSpace = preparedWrite("spaces.create", {
  prepare: (ctx, { root_rule, reply_rule }) => checkRules(ctx, { root_rule, reply_rule }),

  async run(ctx, input, tx) {
    const { caller } = ctx;
    assertSlugFree(input.slug, "space", (await spaceBySlug(tx, input.slug, caller.pk)) !== undefined);
    const space = await insertSpace(tx, {
      id: newId(),
      slug: input.slug,
      visibility: input.visibility,
      creator: { pk: caller.pk, account: caller.account.pk },
      posting_rights: input.posting_rights ?? "anyone",
      root_rule: completeRule(input.root_rule),
      reply_rule: completeRule(input.reply_rule),
      allow_wire_reply_rules: input.allow_wire_reply_rules ?? false,
      description: input.description ?? null,
      tags: input.tags ?? [],
      createdAt: now(),
    });
    await listSpace(tx, space);
    return space.resource;
  },
});

import { completeRule } from "../../domain/posting.js";
import { assertSlugAvailable } from "../../domain/slugs.js";
import { now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { insertSpace, spaceBySlug } from "../../store/spaces.js";
import { preparedWrite } from "../pipeline/handler.js";
import { validateRules } from "../posting/validate-rules.js";
import { assertMayPublish } from "../shared/assert-may-publish.js";
import { updateSpaceListing } from "../shared/switchboard-listing.js";

export const createSpace = preparedWrite("spaces.create", {
  prepare: (ctx, { root_rule, reply_rule }) => validateRules(ctx, { root_rule, reply_rule }),

  async run(ctx, input, tx) {
    const { caller } = ctx;
    // Check this before looking up the slug. Otherwise an agent that may not create spaces could find out
    // which slugs are taken.
    await assertMayPublish(tx, caller, `#${input.slug}`, "creating spaces");
    const existing = await spaceBySlug(tx, input.slug, caller.pk);
    const holder = existing?.role === "owner" ? "caller" : existing ? "another" : "nobody";
    assertSlugAvailable(input.slug, "space", holder);
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
      retain_days: null,
      createdAt: now(),
    });
    await updateSpaceListing(tx, space);
    return space.resource;
  },
});

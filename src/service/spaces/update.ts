import type { Input } from "../../contract/index.js";
import { assertMayChange, assertOwnerNotNamed, type MemberChange } from "../../domain/members.js";
import { completeRule } from "../../domain/posting.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import type { Transaction } from "../../store/engine/engine.js";
import {
  joiningTime,
  putMember,
  removeMember,
  roleOf,
  type SpaceSettings,
  type StoredSpace,
  spaceByPk,
  transferSpace,
  updateSpace,
} from "../../store/spaces.js";
import { preparedWrite } from "../pipeline/handler.js";
import { checkRules } from "../posting/check-rule.js";
import { listSpace } from "../shared/list-on-switchboard.js";
import { namedHandle } from "../shared/named-handle.js";
import { readableSpace, spaceDetail } from "../shared/readable-space.js";

type Change = Input<"spaces.update">;

export const updateSpaceHandler = preparedWrite("spaces.update", {
  prepare: (ctx, { root_rule, reply_rule }) => checkRules(ctx, { root_rule, reply_rule }),

  async run(ctx, input, tx) {
    // Those who come in or become its owner are not retired meanwhile.
    const named = [input.transfer_owner, ...(input.members ?? []).map(({ handle }) => handle)];
    await tx.lock(
      "handles",
      "slug",
      named.flatMap((name) => (name === undefined ? [] : handleSlug(name))),
    );
    await tx.lock("spaces", "slug", [input.slug]);
    const space = await readableSpace(ctx, tx, input.slug);
    const changes = await memberChanges(tx, space, input.members ?? []);
    assertOwnerNotNamed(changes);
    const heir = input.transfer_owner === undefined ? undefined : await namedHandle(tx, input.transfer_owner);
    const { slug: _slug, members: _members, ...settings } = input;
    assertMayChange({ pk: ctx.caller.pk, role: space.role }, Object.keys(settings).length > 0, changes);
    await updateSpace(tx, space.pk, merged(space, input));
    const at = await joiningTime(tx, space.pk, now());
    for (const change of changes) {
      if (change.role === "remove") await removeMember(tx, space.pk, change.pk);
      else await putMember(tx, space.pk, change.pk, change.role, at);
    }
    if (heir && heir.pk !== space.owner) await transferSpace(tx, space.pk, space.owner, heir.pk, at);
    const updated = (await spaceByPk(tx, space.pk, ctx.caller.pk))!;
    await listSpace(tx, updated);
    return spaceDetail(tx, updated);
  },
});

async function memberChanges(
  tx: Transaction,
  space: StoredSpace,
  members: NonNullable<Change["members"]>,
): Promise<MemberChange[]> {
  const changes: MemberChange[] = [];
  for (const { handle, role } of members) {
    const { pk, resource } = await namedHandle(tx, handle);
    changes.push({ pk, slug: resource.slug, current: await roleOf(tx, space.pk, pk), role });
  }
  return changes;
}

function merged({ resource }: StoredSpace, input: Change): SpaceSettings {
  return {
    description: input.description === undefined ? resource.description : input.description,
    tags: input.tags ?? resource.tags,
    posting_rights: input.posting_rights ?? resource.posting_rights,
    root_rule: input.root_rule ? completeRule(input.root_rule) : resource.root_rule,
    reply_rule: input.reply_rule ? completeRule(input.reply_rule) : resource.reply_rule,
    allow_wire_reply_rules: input.allow_wire_reply_rules ?? resource.allow_wire_reply_rules,
  };
}

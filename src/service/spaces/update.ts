import type { Input } from "../../contract/index.js";
import { assertMayChange, assertOwnerNotNamed, isLeave, type MemberChange } from "../../domain/members.js";
import { completeRule } from "../../domain/posting.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { handleBySlug } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import {
  nextJoinedAt,
  removeMember,
  roleOf,
  type SpaceSettings,
  type StoredSpace,
  spaceByPk,
  transferSpace,
  updateSpace,
  upsertMember,
} from "../../store/spaces.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { preparedWrite } from "../pipeline/handler.js";
import { validateRules } from "../posting/validate-rules.js";
import { assertMayPublish } from "../shared/assert-may-publish.js";
import { handleByName } from "../shared/handle-by-name.js";
import { readableSpace, spaceDetail } from "../shared/readable-space.js";
import { updateSpaceListing } from "../shared/switchboard-listing.js";

type Change = Input<"spaces.update">;

export const updateSpaceHandler = preparedWrite("spaces.update", {
  prepare: (ctx, { root_rule, reply_rule }) => validateRules(ctx, { root_rule, reply_rule }),

  async run(ctx, input, tx) {
    // Locks the new members and the new owner, so that none of these handles can be retired during this transaction.
    // The caller's row is locked, too, so that its egress policy stays the same.
    const named = [
      ctx.caller.slug,
      input.transfer_owner,
      ...(input.members ?? []).map(({ handle }) => handle),
    ];
    await tx.lock(
      "handles",
      "slug",
      named.flatMap((name) => (name === undefined ? [] : handleSlug(name))),
    );
    await tx.lock("spaces", "slug", [input.slug]);
    const space = await readableSpace(ctx, tx, input.slug);
    const changes = await memberChanges(tx, space, input.members ?? []);
    const newOwner =
      input.transfer_owner === undefined ? undefined : await handleByName(tx, input.transfer_owner);
    const { slug: _slug, members: _members, ...settings } = input;
    const { pk, slug } = ctx.caller;
    const hasSettings = Object.keys(settings).length > 0;
    if (hasSettings || !changes.every((change) => isLeave(pk, change)))
      await assertMayPublish(tx, ctx.caller, `#${input.slug}`, "changing spaces; you may only leave them");
    assertMayChange({ pk, slug, role: space.role }, hasSettings, changes);
    await updateSpace(tx, space.pk, merged(space, input));
    const at = await nextJoinedAt(tx, space.pk, now());
    for (const change of changes) {
      if (change.role === "remove") {
        await removeMember(tx, space.pk, change.pk);
        tx.publish({ topic: "status", handle: change.pk });
      } else await upsertMember(tx, space.pk, change.pk, change.role, at);
    }
    if (newOwner && newOwner.pk !== space.owner)
      await transferSpace(tx, space.pk, space.owner, newOwner.pk, at);
    const updated = (await spaceByPk(tx, space.pk, ctx.caller.pk))!;
    await updateSpaceListing(tx, updated);
    if (updated.resource.retain_days !== space.resource.retain_days) {
      const { account } = ctx.caller;
      const event = {
        account: account.pk,
        handle: pk,
        action: "retention.changed",
        subject: `#${input.slug}`,
      } as const;
      logAuditEvents(ctx, tx, event);
      tx.afterCommit(() => ctx.store.floors.forgetSpaces());
    }
    return spaceDetail(tx, updated);
  },
});

/** Returns the changes with the members' current roles. Throws 400 if one is the owner, and 404 if one is unknown. */
async function memberChanges(
  tx: Transaction,
  space: StoredSpace,
  members: NonNullable<Change["members"]>,
): Promise<MemberChange[]> {
  const named: ({ pk: number; slug: string } | undefined)[] = [];
  for (const { handle } of members) {
    const found = await handleBySlug(tx, handleSlug(handle));
    named.push(found && { pk: found.pk, slug: found.resource.slug });
  }
  // 400 takes precedence over 404.
  assertOwnerNotNamed(space.owner, named);
  const changes: MemberChange[] = [];
  for (const [n, { handle, role }] of members.entries()) {
    const member = named[n];
    if (!member) throw noSuchHandle(handleSlug(handle));
    changes.push({ ...member, current: await roleOf(tx, space.pk, member.pk), role });
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
    retain_days: input.retain_days === undefined ? resource.retain_days : input.retain_days,
  };
}

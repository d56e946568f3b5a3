/** Changes a space's settings, members and owner. */
import type { Input } from "../../contract/index.js";
import { describeChanges } from "../../domain/describe-changes.js";
import {
  assertConsent,
  assertHeirConsents,
  assertHeirIsMember,
  assertMayChange,
  assertOwnerNotNamed,
  type Consent,
  isLeave,
  type MemberChange,
} from "../../domain/members.js";
import { completeRule } from "../../domain/posting.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import type { Transaction } from "../../store/engine/engine.js";
import { type NamedHandle, namedHandles } from "../../store/relations.js";
import {
  nextJoinedAt,
  recordDeparture,
  removeMembers,
  type SpaceSettings,
  type StoredSpace,
  spaceByPk,
  transferSpace,
  updateSpaceSettings,
  upsertMembers,
} from "../../store/spaces.js";
import { updateSpaceListing } from "../../store/switchboard.js";
import { endClaimsWithoutRight } from "../../store/wires/claims.js";
import { assertMayPublish } from "../access/handles.js";
import { readableSpace } from "../access/spaces.js";
import { logAuditEvents } from "../pipeline/audit.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { preparedWrite } from "../pipeline/handler.js";
import { validateRules } from "../posting/validate-rules.js";
import { spaceDetail } from "./spaces.js";

type Change = Input<"spaces.update">;

export const updateSpace = preparedWrite("spaces.update", {
  prepare: (ctx, { root_rule, reply_rule }) => validateRules(ctx, { root_rule, reply_rule }),

  async run(ctx, input, tx) {
    // Lock the new members and the new owner, so that none of them can be retired during this transaction.
    // Lock the caller too, so that its egress policy cannot change.
    const { members = [], transfer_owner } = input;
    const named = [transfer_owner ?? [], members.map(({ handle }) => handle)].flat().map(handleSlug);
    await tx.lock("handles", "slug", [ctx.caller.slug, ...named]);
    await tx.lock("spaces", "slug", [input.slug]);
    const space = await readableSpace(ctx, tx, input.slug);
    const { pk, slug, account } = ctx.caller;
    const handles = await namedHandles(tx, space.pk, { pk, account: account.pk }, named);
    const changes = memberChanges(ctx, space, members, handles);
    // If the request names a handle several times, the last change wins.
    const roles = new Map(changes.map((change) => [change.pk, change.role]));
    const heir = transfer_owner === undefined ? undefined : findNamed(handles, transfer_owner);
    const isTransferred = heir !== undefined && heir.pk !== space.owner;
    if (isTransferred) {
      const role = roles.get(heir.pk) ?? heir.role ?? "remove";
      assertHeirIsMember(input.slug, heir.slug, role !== "remove");
    }
    const { slug: _slug, members: _members, ...settings } = input;
    const hasSettings = Object.keys(settings).length > 0;
    if (hasSettings || !changes.every((change) => isLeave(pk, change)))
      await assertMayPublish(tx, ctx.caller, `#${input.slug}`, "changing spaces; you may only leave them");
    assertMayChange({ pk, slug, role: space.role }, hasSettings, changes);
    assertConsent(input.slug, changes);
    if (isTransferred) assertHeirConsents(input.slug, heir.slug, consentOf(ctx, heir));
    await updateSpaceSettings(tx, space.pk, merged(space, input));
    const at = await nextJoinedAt(tx, space.pk, now());
    await changeMembers(ctx, tx, space.pk, roles, at);
    if (isTransferred) await transfer(ctx, tx, space, heir, at);
    await endClaimsWithoutRight(tx, space.pk);
    const updated = (await spaceByPk(tx, space.pk, pk))!;
    await updateSpaceListing(tx, updated);
    if (updated.resource.retain_days !== space.resource.retain_days) {
      const event = {
        account: account.pk,
        handle: pk,
        action: "retention.changed",
        subject: `#${input.slug}`,
        detail: describeChanges(retentionOf(space), retentionOf(updated)),
      } as const;
      logAuditEvents(ctx, tx, event);
      tx.afterCommit(() => ctx.store.floors.forgetSpaces());
    }
    return spaceDetail(tx, updated);
  },
});

/**
 * Returns the requested changes, each with the member's current role. Throws 400 if a change concerns the
 * owner, or 404 for an unknown handle.
 */
function memberChanges(
  ctx: Context<Agent>,
  space: StoredSpace,
  members: NonNullable<Change["members"]>,
  handles: ReadonlyMap<string, NamedHandle>,
): MemberChange[] {
  // 400 takes precedence over 404.
  assertOwnerNotNamed(
    space.owner,
    members.map(({ handle }) => handles.get(handleSlug(handle))),
  );
  return members.map(({ handle, role }) => {
    const member = findNamed(handles, handle);
    return { pk: member.pk, slug: member.slug, current: member.role, role, consent: consentOf(ctx, member) };
  });
}

function findNamed(handles: ReadonlyMap<string, NamedHandle>, name: string): NamedHandle {
  const handle = handles.get(handleSlug(name));
  if (!handle) throw noSuchHandle(handleSlug(name));
  return handle;
}

function consentOf({ caller }: Context<Agent>, handle: NamedHandle): Consent {
  return {
    isOwn: handle.account === caller.account.pk,
    isOpen: handle.contact_policy === "open",
    contactSince: handle.contact_since,
    hasBlocked: handle.has_blocked === 1,
    leftAt: handle.left_at,
  };
}

async function changeMembers(
  { caller }: Context<Agent>,
  tx: Transaction,
  space: number,
  roles: ReadonlyMap<number, MemberChange["role"]>,
  at: number,
): Promise<void> {
  const kept = new Map<number, Exclude<MemberChange["role"], "remove">>();
  const gone: number[] = [];
  for (const [handle, role] of roles) {
    if (role === "remove") gone.push(handle);
    else kept.set(handle, role);
  }
  // Notify only handles that were members, because a notification wakes all of a handle's waiting requests.
  for (const handle of await removeMembers(tx, space, gone)) {
    tx.publish({ topic: "status", handle });
    if (handle === caller.pk) await recordDeparture(tx, space, handle, now());
  }
  await upsertMembers(tx, space, kept, at);
}

async function transfer(
  ctx: Context<Agent>,
  tx: Transaction,
  { pk: space, owner, resource: { slug } }: StoredSpace,
  heir: NamedHandle,
  at: number,
): Promise<void> {
  await transferSpace(tx, space, owner, heir.pk, at);
  const subject = `#${slug}`;
  logAuditEvents(
    ctx,
    tx,
    {
      account: ctx.caller.account.pk,
      handle: ctx.caller.pk,
      action: "space.transferred",
      subject,
      detail: `to @${heir.slug}`,
    },
    { account: heir.account, handle: heir.pk, action: "space.received", subject },
  );
}

function retentionOf({ resource: { retain_days } }: StoredSpace) {
  return { retain_days };
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

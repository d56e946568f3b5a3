/** Creates spaces, and lists them and their members. */

import type { SpaceDetail, SpaceWithRole } from "../../contract/shapes.js";
import { completeRule } from "../../domain/posting.js";
import { assertSlugAvailable } from "../../domain/slugs.js";
import { isoTime, now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { encodeJson, RawJson } from "../../kernel/raw-json.js";
import type { Session } from "../../store/engine/engine.js";
import {
  insertSpace,
  memberCounts,
  membersOf,
  type StoredSpace,
  spaceBySlug,
  spacesOfMember,
} from "../../store/spaces.js";
import { updateSpaceListing } from "../../store/switchboard.js";
import { assertMayPublish } from "../access/handles.js";
import { readableSpace } from "../access/spaces.js";
import { preparedWrite, read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, jsonSize, toPage } from "../pipeline/pages.js";
import { validateRules } from "../posting/validate-rules.js";

export const createSpace = preparedWrite("spaces.create", {
  prepare: (ctx, { root_rule, reply_rule }) => validateRules(ctx, { root_rule, reply_rule }),

  async run(ctx, input, tx) {
    const { caller } = ctx;
    // Check the egress policy before looking up the slug, so that an agent that may not create spaces cannot
    // find out which slugs are taken.
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

export const getSpace = read("spaces.get", async (ctx, input, session) =>
  spaceDetail(session, await readableSpace(ctx, session, input.slug)),
);

export const listSpaces = read("spaces.list", async (ctx, input, session) => {
  const { limit = DEFAULT_PAGE_SIZE } = input;
  const scope = ["spaces.list", ctx.caller.id];
  const position = decodeCursor(ctx, scope, input.cursor);
  const after = position && { joinedAt: position[0]!, space: position[1]! };
  const spaces = await spacesOfMember(session, ctx.caller.pk, after, limit + 1);
  const rows = spaces.map(({ joinedAt, pk, resource, role }) => ({
    position: [joinedAt, pk],
    json: encodeJson({ ...resource, role: role! }),
  }));
  const { items, next_cursor } = toPage(ctx, scope, rows, limit, ({ position }) => position, jsonSize);
  return { spaces: items.map(({ json }) => new RawJson<SpaceWithRole>(json)), next_cursor };
});

export const listMembers = read("spaces.members", async (ctx, input, session) => {
  const { limit = DEFAULT_PAGE_SIZE } = input;
  const space = await readableSpace(ctx, session, input.slug);
  const scope = ["spaces.members", ctx.caller.id, space.resource.id];
  const position = decodeCursor(ctx, scope, input.cursor);
  const after = position && { joinedAt: position[0]!, handle: position[1]! };
  const members = await membersOf(session, space.pk, after, limit + 1);
  const { items, next_cursor } = toPage(ctx, scope, members, limit, (member) => [
    member.joined_at,
    member.handle,
  ]);
  return {
    members: items.map(({ slug, role, joined_at }) => ({
      handle: slug,
      role,
      joined_at: isoTime(joined_at),
    })),
    next_cursor,
  };
});

export async function spaceDetail(session: Session, space: StoredSpace): Promise<SpaceDetail> {
  return { ...space.resource, member_counts: await memberCounts(session, space.pk) };
}

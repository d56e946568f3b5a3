import type { SpaceWithRole } from "../../contract/shapes.js";
import { isoTime } from "../../kernel/clock.js";
import { encodeJson, RawJson } from "../../kernel/raw-json.js";
import { membersOf, spacesOfMember } from "../../store/spaces.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, jsonSize, toPage } from "../pipeline/pages.js";
import { readableSpace, spaceDetail } from "../shared/readable-space.js";

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

import { isoTime } from "../../kernel/clock.js";
import { membersOf } from "../../store/spaces.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";
import { readableSpace } from "../shared/readable-space.js";

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

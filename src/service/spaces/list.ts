import { spacesOfMember } from "../../store/spaces.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE, pageOf, positionOf } from "../pipeline/pages.js";

export const listSpaces = read("spaces.list", async (ctx, input, session) => {
  const { limit = DEFAULT_PAGE } = input;
  const scope = ["spaces.list", ctx.caller.id];
  const position = positionOf(ctx, scope, input.cursor);
  const after = position && { joinedAt: position[0]!, space: position[1]! };
  const spaces = await spacesOfMember(session, ctx.caller.pk, after, limit + 1);
  const { items, next_cursor } = pageOf(ctx, scope, spaces, limit, (space) => [space.joinedAt, space.pk]);
  return { spaces: items.map((space) => ({ ...space.resource, role: space.role! })), next_cursor };
});

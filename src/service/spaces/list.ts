import type { SpaceWithRole } from "../../contract/shapes.js";
import { encodeJson, RawJson } from "../../kernel/raw-json.js";
import { spacesOfMember } from "../../store/spaces.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, jsonSize, toPage } from "../pipeline/pages.js";

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

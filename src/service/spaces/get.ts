import { read } from "../pipeline/handler.js";
import { readableSpace, spaceDetail } from "../shared/readable-space.js";

export const getSpace = read("spaces.get", async (ctx, input, session) =>
  spaceDetail(session, await readableSpace(ctx, session, input.slug)),
);

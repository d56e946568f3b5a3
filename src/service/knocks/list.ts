import { now } from "../../kernel/clock.js";
import { listKnocks } from "../../store/knocks.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";

export const listKnocksHandler = read("knocks.list", async (ctx, input, session) => {
  const { direction = "received", status, limit = DEFAULT_PAGE_SIZE } = input;
  const scope = ["knocks.list", ctx.caller.id, direction, status ?? ""];
  const before = decodeCursor(ctx, scope, input.cursor)?.[0];
  const query = { direction, status, before, limit: limit + 1, at: now() };
  const knocks = await listKnocks(session, ctx.caller.pk, query);
  const { items, next_cursor } = toPage(ctx, scope, knocks, limit, (knock) => [knock.pk]);
  return { knocks: items.map((knock) => knock.resource), next_cursor };
});

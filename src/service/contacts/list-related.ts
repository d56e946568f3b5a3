import { isoTime } from "../../kernel/clock.js";
import type { Session } from "../../store/engine/engine.js";
import { listRelated } from "../../store/relations.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";

/** Returns a page of the caller's contacts or blocks, newest first. */
export async function relatedPage(
  ctx: Context<Agent>,
  session: Session,
  relation: "contacts" | "blocks",
  input: { cursor?: string; limit?: number },
) {
  const { limit = DEFAULT_PAGE_SIZE } = input;
  const scope = [`${relation}.list`, ctx.caller.id];
  const position = decodeCursor(ctx, scope, input.cursor);
  const after = position && { since: position[0]!, other: position[1]! };
  const related = await listRelated(session, relation, ctx.caller.pk, after, limit + 1);
  const { items, next_cursor } = toPage(ctx, scope, related, limit, (row) => [row.since, row.other]);
  return { items: items.map((row) => ({ handle: row.slug, since: isoTime(row.since) })), next_cursor };
}

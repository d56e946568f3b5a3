import type { Session } from "../../store/engine/engine.js";
import { type SentQuery, sentPage, spaceRulesOf } from "../../store/wires/sent.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, withCursor } from "../pipeline/pages.js";
import { shortenFor } from "./brief-wires.js";
import { presentWire } from "./present-wire.js";

/**
 * Returns a page of a handle's sent wires, and the wires' primary keys.
 * @param scope the cursor's scope
 */
export async function sentWires(
  ctx: Context<Agent>,
  session: Session,
  scope: readonly string[],
  {
    cursor,
    limit = DEFAULT_PAGE_SIZE,
    brief,
    ...query
  }: Pick<SentQuery, "sender" | "to" | "isComplete"> & {
    cursor: string | undefined;
    limit: number | undefined;
    brief: "true" | "false" | undefined;
  },
) {
  const page = await sentPage(session, {
    ...query,
    before: decodeCursor(ctx, scope, cursor)?.[0],
    floors: await ctx.store.floors.all(),
    limit,
    shorten: shortenFor(brief),
  });
  const pks = page.items.map(({ pk }) => pk);
  const rules = await spaceRulesOf(session, pks);
  const { items, next_cursor } = withCursor(ctx, scope, page, (row) => [row.pk]);
  const wires = items.map((row) => presentWire(row, rules.get(row.pk) ?? null));
  return { body: { wires, next_cursor }, pks };
}

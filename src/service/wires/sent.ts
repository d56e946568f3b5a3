import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";
import { type SentQuery, sentPage, spaceRulesOf } from "../../store/wires/sent.js";
import type { Agent, Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, withCursor } from "../pipeline/pages.js";
import { shortenFor } from "../shared/brief-wires.js";
import { presentWire } from "../shared/present-wire.js";
import { readableSpaceBatched } from "../shared/readable-space.js";

/** Returns a page of the wires (messages) that the caller sent (docs/specification/reading.md#sent-wires). */
export const listSent = read("sent.list", async (ctx, input, session) => {
  const { limit = DEFAULT_PAGE_SIZE } = input;
  const to = input.to === undefined ? undefined : await targetOf(ctx, session, input.to);
  const scope = ["sent.list", ctx.caller.id, JSON.stringify(to ?? null)];
  const before = decodeCursor(ctx, scope, input.cursor)?.[0];
  const page = await sentPage(session, {
    sender: ctx.caller.pk,
    to,
    before,
    floors: await ctx.store.floors.all(),
    limit,
    shorten: shortenFor(input.brief),
  });
  const rules = await spaceRulesOf(
    session,
    page.items.map(({ pk }) => pk),
  );
  const { items, next_cursor } = withCursor(ctx, scope, page, (row) => [row.pk]);
  const wires = items.map((row) => presentWire(row, rules.get(row.pk) ?? null));
  return { wires, next_cursor };
});

/** Returns the primary key of a target. A retired handle is one, because the wires to it remain. Throws 404 for an unknown one. */
async function targetOf(ctx: Context<Agent>, session: Session, name: string): Promise<SentQuery["to"]> {
  if (name.startsWith("#")) return { space: (await readableSpaceBatched(ctx, name.slice(1))).pk };
  const slug = handleSlug(name);
  const handle = await handleBySlugIncludingRetired(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return { recipient: handle.pk };
}

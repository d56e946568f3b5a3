import { noSuchWire } from "../../domain/visibility.js";
import type { Human, Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor } from "../pipeline/pages.js";
import { shortenFor } from "../shared/brief-wires.js";
import { ownHandle } from "../shared/handle-by-name.js";
import { viewThread } from "../shared/thread-page.js";

/** Reads a thread as one of the human's handles sees it. */
export const readHandleThread = read("handles.thread", async (ctx, input, session) => {
  const { pk, resource } = await ownHandle(ctx, session, input.slug);
  const view = await viewThread(
    actingAs(ctx, { pk, id: resource.id, slug: resource.slug }),
    session,
    input.id,
  );
  const scope = ["handles.thread", resource.id, String(view.thread)];
  const cursor = decodeCursor(ctx, scope, input.cursor)?.[0] ?? 0;
  const { wires, last, hasMore } = await view.page(
    Math.max(cursor, view.floor),
    input.limit ?? DEFAULT_PAGE_SIZE,
    shortenFor(input.brief),
  );
  if (last === undefined && cursor === 0) throw noSuchWire();
  return { wires, next_cursor: hasMore && last !== undefined ? ctx.cursors.encode(scope, [last]) : null };
});

/** Returns the context for reading as one of the human's handles. */
function actingAs(ctx: Context<Human>, handle: Pick<Sender, "pk" | "id" | "slug">): Context<Sender> {
  return { ...ctx, caller: { kind: "agent", account: ctx.caller.account, ...handle } };
}

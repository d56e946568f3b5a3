/** GET /inbox: a pull from the caller's log, held for `wait` seconds while there is nothing new (decisions, section 5). */

import type { Wire } from "../../contract/shapes.js";
import { now, SECOND } from "../../kernel/clock.js";
import { Verbatim } from "../../kernel/verbatim.js";
import { type InboxPage, inboxPages, moveCheckpoints } from "../../store/inbox.js";
import type { Agent, Context } from "../context.js";
import { read } from "../handler.js";
import { DEFAULT_PAGE, positionOf } from "../pages.js";

export const readInbox = read("inbox.read", async (ctx, input) => {
  const scope = ["inbox.read", ctx.caller.id];
  const after = positionOf(ctx, scope, input.cursor)?.[0] ?? null;
  const page = await firstItems(ctx, after, input.limit ?? DEFAULT_PAGE, (input.wait ?? 0) * SECOND);
  return {
    wires: new Verbatim<Wire[]>(`[${page.wires}]`),
    knocks: page.knocks,
    tombstone_notices: page.notices,
    // Without news it would be the same one, signed again.
    next_cursor:
      input.cursor !== undefined && page.to === after ? input.cursor : ctx.cursors.encode(scope, [page.to]),
  };
});

async function firstItems(
  ctx: Context<Agent>,
  after: number | null,
  limit: number,
  wait: number,
): Promise<InboxPage> {
  const { engine, bell } = ctx.store;
  const handle = ctx.caller.pk;
  const deadline = now() + wait;
  for (let first = true; ; first = false) {
    // Listening begins before the read, so that what commits in between rings.
    const ear = wait > 0 ? bell.listen(handle) : undefined;
    const page = await engine.readBatched(inboxPages, { handle, after, limit, at: now() });
    if (first && after !== null && after > page.checkpoint) {
      await engine.writeBatched(moveCheckpoints, { handle, seq: after });
    }
    const left = deadline - now();
    if (!ear || page.to > page.from || left <= 0 || ctx.signal.aborted) {
      ear?.stop();
      return page;
    }
    await ear.wait(left, ctx.signal);
    // What came in meanwhile is not for a key that was revoked, or a handle that was suspended, meanwhile.
    await ctx.authenticator.recheck(ctx.caller);
  }
}

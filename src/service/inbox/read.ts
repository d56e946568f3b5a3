/** GET /inbox: a pull from the caller's log, held for `wait` seconds while there is nothing new (decisions, section 5). */

import type { Wire } from "../../contract/shapes.js";
import { now, SECOND } from "../../kernel/clock.js";
import { Verbatim } from "../../kernel/verbatim.js";
import { type InboxPage, inboxPages, moveCheckpoints } from "../../store/inbox/inbox.js";
import type { Agent, Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE, positionOf } from "../pipeline/pages.js";

export const readInbox = read("inbox.read", async (ctx, input) => {
  const scope = ["inbox.read", ctx.caller.id];
  const after = positionOf(ctx, scope, input.cursor)?.[0] ?? null;
  const page = await firstItems(ctx, after, input.limit ?? DEFAULT_PAGE, (input.wait ?? 0) * SECOND);
  return {
    wires: new Verbatim<Wire[]>(page.wires, page.quotedWires),
    knocks: page.knocks,
    tombstone_notices: page.notices,
    // With nothing new it would be the same cursor, signed again.
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
  const { notifier } = ctx.store;
  const handle = ctx.caller.pk;
  const deadline = now() + wait;
  let moving: Promise<void> | undefined;
  for (;;) {
    // Before the read, so that what commits in between is notified.
    const subscription = wait > 0 ? notifier.subscribe(handle) : undefined;
    try {
      const page = knownPage(ctx, after, limit) ?? (await readPage(ctx, after, limit));
      if (after !== null && after > page.checkpoint) moving ??= moveCheckpoint(ctx, after);
      // It is awaited below, unless the reading fails first.
      moving?.catch(() => undefined);
      const left = deadline - now();
      if (!subscription || page.to > page.from || left <= 0 || ctx.signal.aborted) {
        await moving;
        return page;
      }
      await Promise.all([moving, subscription.wait(left, ctx.signal)]);
    } finally {
      subscription?.stop();
    }
    // What came in meanwhile is not for a key that was revoked, or a handle that was suspended, meanwhile.
    await ctx.authenticator.recheck(ctx.caller);
  }
}

/** The page, where it is known without reading it: there is nothing on it, or what has come since the caller began to wait. */
function knownPage(
  { store, caller }: Context<Agent>,
  after: number | null,
  limit: number,
): InboxPage | undefined {
  const end = store.ends.of(caller.pk);
  if (!end) return undefined;
  const from = after ?? end.checkpoint;
  const unread = Math.max(end.head - from, 0);
  if (unread > end.wires.length) return undefined;
  const first = end.wires.length - unread;
  const wires = end.wires.slice(first, first + limit);
  return {
    wires: `[${wires.join(",")}]`,
    quotedWires: undefined,
    knocks: [],
    notices: [],
    from,
    to: from + wires.length,
    checkpoint: end.checkpoint,
  };
}

async function readPage(
  { store, caller, quoted }: Context<Agent>,
  after: number | null,
  limit: number,
): Promise<InboxPage> {
  const handle = caller.pk;
  const learn = store.ends.reading(handle);
  const page = await store.engine.readBatched(inboxPages, { handle, after, limit, quoted, at: now() });
  // Numbers have no gaps, so a page that is not full ends with the log.
  if (page.to - page.from < limit) learn({ head: page.to, checkpoint: page.checkpoint, wires: [] });
  return page;
}

/** It is durable before the answer; while that is held, nobody has to wait for it. */
async function moveCheckpoint({ store, caller }: Context<Agent>, seq: number): Promise<void> {
  await store.engine.writeBatched(moveCheckpoints, { handle: caller.pk, seq });
  store.ends.moved(caller.pk, seq);
}

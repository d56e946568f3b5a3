/** GET /inbox: returns new items, or waits for the next item (docs/specification/reading.md#long-polls). */

import type { Wire } from "../../contract/shapes.js";
import { now } from "../../kernel/clock.js";
import { RawJson } from "../../kernel/raw-json.js";
import { StoreUnavailable } from "../../store/engine/engine.js";
import { countLookup } from "../../store/engine/statistics.js";
import { moveCheckpoints } from "../../store/inbox/checkpoints.js";
import { type InboxPage, readInboxPage } from "../../store/inbox/inbox.js";
import { NO_NOTICES } from "../../store/inbox/notices.js";
import type { Shorten } from "../../store/wires/pages.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor } from "../pipeline/pages.js";
import { briefWires, shortenFor } from "../reading/present-wire.js";
import { readOrWait } from "../reading/read-or-wait.js";

export const readInbox = read("inbox.read", async (ctx, input) => {
  const scope = ["inbox.read", ctx.caller.id];
  const position = decodeCursor(ctx, scope, input.cursor)?.[0] ?? null;
  if (!ctx.caller.isHuman) ctx.pulls.record(ctx.caller.pk);
  let after = position;
  const limit = input.limit ?? DEFAULT_PAGE_SIZE;
  let moving: Promise<void> | undefined;
  const shorten = shortenFor(input.brief);
  const page = await readOrWait(ctx, {
    wait: input.wait,
    topics: { inbox: ctx.caller.pk },
    async read() {
      const cached = cachedPage(ctx, after, limit);
      countLookup(ctx.store.statistics.caches.inbox_ends, cached);
      let page = cached ?? (await readPage(ctx, after, limit, shorten));
      if (after !== null && after > page.head) {
        // The inbox ends before the cursor, so the database was restored. Ignore the cursor, because items
        // after the restore point are new to the reader.
        after = null;
        page = await readPage(ctx, after, limit, shorten);
      }
      if (after !== null && after > page.checkpoint) moving ??= moveCheckpoint(ctx, after);
      // Avoid an unhandled rejection during the wait; `await moving` below reports the error.
      moving?.catch(() => undefined);
      return page;
    },
    isNew: ({ from, to }) => to > from,
  });
  await moving;
  const wires = new RawJson<Wire[]>(page.wires);
  return {
    wires: page.isBrief ? wires : await briefWires(wires, input.brief),
    ...page.notices,
    // For an empty page, return the request's cursor, because a new cursor would hold the same position.
    next_cursor:
      input.cursor !== undefined && page.to === position
        ? input.cursor
        : ctx.cursors.encode(scope, [page.to]),
  };
});

function cachedPage(
  { store, caller }: Context<Agent>,
  after: number | null,
  limit: number,
): InboxPage | undefined {
  const end = store.inboxEnds.get(caller.pk);
  if (!end) return undefined;
  const from = after ?? end.checkpoint;
  const unread = end.head - from;
  if (unread < 0 || unread > end.wires.length) return undefined;
  const first = end.wires.length - unread;
  const wires = end.wires.slice(first, first + limit);
  return {
    wires: `[${wires.join(",")}]`,
    notices: NO_NOTICES,
    from,
    to: from + wires.length,
    isBrief: false,
    checkpoint: end.checkpoint,
    head: end.head,
  };
}

async function readPage(
  { store, caller }: Context<Agent>,
  after: number | null,
  limit: number,
  shorten: Shorten | undefined,
): Promise<InboxPage> {
  const handle = caller.pk;
  const save = store.inboxEnds.beginLoad(handle);
  const floors = await store.floors.all();
  const page = await readInboxPage(store.engine, limit, { handle, after, floors, shorten, at: now() });
  save({ head: page.head, checkpoint: page.checkpoint, wires: [], since: 0 });
  return page;
}

/**
 * Stores the inbox's new checkpoint before the response is sent. A long poll stores it while it waits. If the
 * database cannot be written (such as on a full disk), the read still succeeds and a later read moves the
 * checkpoint.
 */
async function moveCheckpoint({ store, caller, requestId }: Context<Agent>, seq: number): Promise<void> {
  try {
    const move = { handle: caller.pk, seq, at: now() };
    await store.engine.writeBatched(moveCheckpoints, move, { key: caller.account.id });
    store.inboxEnds.updateCheckpoint(caller.pk, seq);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    store.statistics.unmovedCheckpoints++;
    store.log.warn({ err: error, request_id: requestId }, "the checkpoint of an inbox could not be moved");
  }
}

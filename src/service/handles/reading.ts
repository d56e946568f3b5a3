/** Shows a human the inbox and the threads of one of their handles. */
import { LATEST } from "../../contract/fields.js";
import type { EncodableOutput, Input } from "../../contract/index.js";
import type { Wire } from "../../contract/shapes.js";
import { noSuchWire } from "../../domain/visibility.js";
import { HOUR, isoTime, now } from "../../kernel/clock.js";
import { RawJson } from "../../kernel/raw-json.js";
import { activityOf } from "../../store/accounts/activity.js";
import type { Session } from "../../store/engine/engine.js";
import { lastPull } from "../../store/inbox/checkpoints.js";
import { endOfInbox, INBOX_START, lastSeqUpTo, nextShown, readInboxPage } from "../../store/inbox/inbox.js";
import { NO_NOTICES } from "../../store/inbox/notices.js";
import { ownHandle } from "../access/handles.js";
import type { Human, Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeAnyCursor, decodeCursor, decodeFollowedCursor } from "../pipeline/pages.js";
import { briefWires, shortenFor } from "../reading/present-wire.js";
import { assertNotFollowed, readOrWait } from "../reading/read-or-wait.js";
import { viewThread } from "../reading/wire-pages.js";

/** Reads the inbox without moving the checkpoint, so the agent still gets every item. */
export const readHandleInbox = read("handles.inbox", async (ctx, input, session) => {
  if (input.order === "newest") {
    assertNotFollowed(input);
    return (await readPage(ctx, session, input)).output;
  }
  const { pk } = await ownHandle(ctx, session, input.slug);
  let { cursor } = input;
  const page = await readOrWait(ctx, {
    wait: input.wait,
    topics: { inbox: pk },
    async read() {
      const found = await readPage(ctx, session, { ...input, cursor });
      // After a database restore, the inbox may end before the cursor. Continue from the actual end.
      if (!found.hasItems) cursor = found.cursor;
      return found;
    },
    isNew: ({ hasItems }) => hasItems || input.cursor === LATEST,
  });
  return page.output;
});

interface InboxPage {
  output: EncodableOutput<"handles.inbox">;
  hasItems: boolean;
  cursor: string;
}

async function readPage(
  ctx: Context<Human>,
  session: Session,
  input: Input<"handles.inbox">,
): Promise<InboxPage> {
  const { order = "oldest", limit = DEFAULT_PAGE_SIZE, cursor } = input;
  const { pk: handle, resource } = await ownHandle(ctx, session, input.slug);
  const scope = ["handles.inbox", resource.id, ...(order === "newest" ? [order] : [])];
  const cursorAt = (seq: number) => ctx.cursors.encode(scope, [seq]);
  if (cursor === LATEST) {
    const next_cursor = cursorAt(await endOfInbox(session, handle));
    const output = { wires: [], ...NO_NOTICES, next_cursor };
    return { output, hasItems: false, cursor: next_cursor };
  }
  const { engine, floors } = ctx.store;
  const query = {
    handle,
    after:
      order === "newest"
        ? (decodeCursor(ctx, scope, cursor)?.[0] ?? INBOX_START)
        : await followedPosition(ctx, session, scope, handle, cursor),
    floors: await floors.all(),
    shorten: shortenFor(input.brief),
    at: now(),
  };
  const page = await readInboxPage(engine, limit, query, order);
  const isLast =
    order === "newest" && (await nextShown(session, order, { ...query, after: page.to })) === undefined;
  const wires = new RawJson<Wire[]>(page.wires);
  // If the cursor is beyond the end of the inbox, return the end.
  const end = cursorAt(order === "oldest" ? Math.min(page.to, page.head) : page.to);
  return {
    output: {
      wires: page.isBrief ? wires : await briefWires(wires, input.brief),
      ...page.notices,
      next_cursor: isLast ? null : end,
    },
    hasItems: page.to !== page.from,
    cursor: end,
  };
}

/**
 * For a cursor from before a database restore, returns a position no later than the last restored wire. The
 * checkpoint could be later, because the agent may already have acknowledged wires that are new to the owner.
 */
async function followedPosition(
  ctx: Context<Human>,
  session: Session,
  scope: readonly string[],
  handle: number,
  cursor: string | undefined,
): Promise<number> {
  if (cursor === undefined) return 0;
  const [position] = decodeAnyCursor(ctx, scope, cursor);
  const wire = ctx.cursors.lastSharedWire(cursor);
  return wire === undefined ? position! : Math.min(position!, await lastSeqUpTo(session, handle, wire));
}

export const readHandleThread = read("handles.thread", async (ctx, input, session) => {
  const { pk, resource } = await ownHandle(ctx, session, input.slug);
  const view = await viewThread(
    actingAs(ctx, { pk, id: resource.id, slug: resource.slug }),
    session,
    input.id,
  );
  const scope = ["handles.thread", resource.id, String(view.thread)];
  const cursor = decodeFollowedCursor(ctx, scope, input.cursor)?.[0] ?? 0;
  const { wires, last, hasMore } = await view.page(
    Math.max(cursor, view.floor),
    input.limit ?? DEFAULT_PAGE_SIZE,
    shortenFor(input.brief),
  );
  if (last === undefined && cursor === 0) throw noSuchWire();
  return { wires, next_cursor: hasMore && last !== undefined ? ctx.cursors.encode(scope, [last]) : null };
});

const HOURS = 24;

export const getActivity = read("handles.activity", async (ctx, { slug }, session) => {
  const { pk } = await ownHandle(ctx, session, slug);
  const at = now();
  const since = at - (at % HOUR) - (HOURS - 1) * HOUR;
  const [dayAgo, pull] = await Promise.all([ctx.store.floors.of(1), lastPull(session, pk)]);
  const found = await activityOf(session, pk, since, dayAgo);
  return {
    hours: Array.from({ length: HOURS }, (_, hour) => ({
      at: isoTime(since + hour * HOUR),
      ...{ received: 0, sent: 0, held: 0, refused: 0, ...found.get(hour) },
    })),
    last_pull_at: ctx.pulls.lastPullAt(pk, pull),
  };
});

function actingAs(ctx: Context<Human>, handle: Pick<Sender, "pk" | "id" | "slug">): Context<Sender> {
  return { ...ctx, caller: { kind: "agent", account: ctx.caller.account, isHuman: true, ...handle } };
}

/** Shows a human one of their handles' inboxes, without moving the inbox's checkpoint. */
import { LATEST } from "../../contract/fields.js";
import type { EncodableOutput, Input } from "../../contract/index.js";
import type { Wire } from "../../contract/shapes.js";
import { now } from "../../kernel/clock.js";
import { RawJson } from "../../kernel/raw-json.js";
import type { Session } from "../../store/engine/engine.js";
import { endOfInbox, INBOX_START, nextShown, readInboxPage } from "../../store/inbox/inbox.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor } from "../pipeline/pages.js";
import { briefWires, shortenFor } from "../shared/brief-wires.js";
import { ownHandle } from "../shared/handle-by-name.js";
import { assertNotFollowed, readOrWait } from "../shared/read-or-wait.js";

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
  /** The cursor after the page. */
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
    const output = { wires: [], knocks: [], tombstone_notices: [], next_cursor };
    return { output, hasItems: false, cursor: next_cursor };
  }
  const { engine, floors } = ctx.store;
  const query = {
    handle,
    after: decodeCursor(ctx, scope, cursor)?.[0] ?? (order === "newest" ? INBOX_START : 0),
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
      knocks: page.knocks,
      tombstone_notices: page.notices,
      next_cursor: isLast ? null : end,
    },
    hasItems: page.to !== page.from,
    cursor: end,
  };
}

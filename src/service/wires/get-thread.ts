import { LATEST } from "../../contract/fields.js";
import type { EncodableOutput, Input } from "../../contract/index.js";
import { canReadSpace, noSuchWire } from "../../domain/visibility.js";
import type { Session } from "../../store/engine/engine.js";
import { threadChanges } from "../../store/wires/changes.js";
import { endOfThread, threadPage } from "../../store/wires/pages.js";
import type { Agent, Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor } from "../pipeline/pages.js";
import { shortenFor } from "../shared/brief-wires.js";
import { presentWire } from "../shared/present-wire.js";
import { readOrWait } from "../shared/read-or-wait.js";
import { wireOfThread } from "../shared/visible-wire.js";

const MAX_PAGE_SIZE = 100;

/**
 * Returns a page of a thread. In a thread of direct messages, the caller sees only wires that it sent or received
 * (docs/specification/reading.md#threads).
 */
export const getThread = read("threads.get", async (ctx, input, session) => {
  const { position, ...first } = await readPage(ctx, session, input);
  if (!position || !input.wait) return first.output;
  const held = await readOrWait(ctx, {
    wait: input.wait,
    topics: { thread: position.thread, status: ctx.caller.pk },
    async read() {
      const hasChanged = await ctx.store.engine.readBatched(threadChanges, position);
      return hasChanged ? await readPage(ctx, session, input) : undefined;
    },
    isNew: (page) => page !== undefined && page.position === undefined,
  });
  return held?.output ?? first.output;
});

interface ThreadPage {
  output: EncodableOutput<"threads.get">;
  /** Where to wait for the next wire; undefined if the page is to be sent at once. */
  position: { handle: number; space: number | null; thread: number; after: number } | undefined;
}

/** Keeps nothing of the wire that `id` names, because thousands of requests may be held after it. */
async function readPage(
  ctx: Context<Agent>,
  session: Session,
  input: Input<"threads.get">,
): Promise<ThreadPage> {
  const { thread, space } = await wireOfThread(ctx, session, input.id);
  if (space && !canReadSpace(space)) throw noSuchWire();
  const handle = ctx.caller.pk;
  const query = { thread, handle, isDm: space === null };
  const scope = ["threads.get", ctx.caller.id, String(thread)];
  const toCursor = (pk: number) => ctx.cursors.encode(scope, [pk]);
  const floor = await ctx.store.floors.of(space?.retainDays ?? null);
  if (input.cursor === LATEST) {
    const end = await endOfThread(session, query);
    if (end === null || end <= floor) throw noSuchWire();
    return { output: { wires: [], next_cursor: toCursor(end) }, position: undefined };
  }
  const cursor = decodeCursor(ctx, scope, input.cursor)?.[0] ?? 0;
  const after = Math.max(cursor, floor);
  const limit = Math.min(input.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const { items, hasMore } = await threadPage(session, {
    ...query,
    after,
    limit,
    shorten: shortenFor(input.brief),
  });
  if (items.length === 0 && cursor === 0) throw noSuchWire();
  const isFollowed = input.wait !== undefined;
  const wires = items.map((row) => presentWire(row, space));
  return {
    output: {
      wires,
      next_cursor: hasMore || isFollowed ? toCursor(items.at(-1)?.pk ?? after) : null,
    },
    position: items.length > 0 ? undefined : { handle, space: space?.pk ?? null, thread, after },
  };
}

import { LATEST } from "../../contract/fields.js";
import type { EncodableOutput, Input } from "../../contract/index.js";
import { noSuchWire } from "../../domain/visibility.js";
import type { Session } from "../../store/engine/engine.js";
import { threadChanges } from "../../store/wires/changes.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor } from "../pipeline/pages.js";
import { shortenFor } from "../shared/brief-wires.js";
import { readOrWait } from "../shared/read-or-wait.js";
import { topicOf, viewThread } from "../shared/thread-page.js";

const MAX_PAGE_SIZE = 100;

/**
 * Returns a page of a thread. In a thread of direct messages, the caller sees only wires that it sent or
 * received (docs/specification/reading.md#threads).
 */
export const getThread = read("threads.get", async (ctx, input, session) => {
  const { position, ...first } = await readPage(ctx, session, input);
  if (!position || !input.wait) return first.output;
  const held = await readOrWait(ctx, {
    wait: input.wait,
    topics: { ...topicOf(position), status: position.handle },
    async read() {
      const hasChanged = await ctx.store.engine.readBatched(threadChanges, position);
      return hasChanged ? await readPage(ctx, session, input) : undefined;
    },
    isNew: (page) => page !== undefined && page.position === undefined,
  });
  return held?.output ?? first.output;
});

interface SentPage {
  output: EncodableOutput<"threads.get">;
  /** The position after which to wait for new wires; undefined if the page must be sent at once. */
  position: { handle: number; space: number | null; thread: number; after: number } | undefined;
}

/** Returns only the thread's keys, because thousands of held requests would keep the rest in memory. */
async function readPage(
  ctx: Context<Agent>,
  session: Session,
  input: Input<"threads.get">,
): Promise<SentPage> {
  const view = await viewThread(ctx, session, input.id);
  const { handle, thread, space } = view;
  const scope = ["threads.get", ctx.caller.id, String(thread)];
  const toCursor = (pk: number) => ctx.cursors.encode(scope, [pk]);
  if (input.cursor === LATEST)
    return { output: { wires: [], next_cursor: toCursor(await view.end()) }, position: undefined };
  const cursor = decodeCursor(ctx, scope, input.cursor)?.[0] ?? 0;
  const after = Math.max(cursor, view.floor);
  const limit = Math.min(input.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const { wires, last, hasMore } = await view.page(after, limit, shortenFor(input.brief));
  if (last === undefined && cursor === 0) throw noSuchWire();
  const isFollowed = input.wait !== undefined;
  return {
    output: { wires, next_cursor: hasMore || isFollowed ? toCursor(last ?? after) : null },
    position: last === undefined ? { handle, space, thread, after } : undefined,
  };
}

/** Reads pages of a thread, and pages of the wires that a handle has sent. */
import type { Wire } from "../../contract/shapes.js";
import { canReadSpace, noSuchWire } from "../../domain/visibility.js";
import type { RawJson } from "../../kernel/raw-json.js";
import type { Session } from "../../store/engine/engine.js";
import { dmThread, type Topics } from "../../store/engine/notifier.js";
import { deliveriesOf } from "../../store/inbox/checkpoints.js";
import type { Shorten } from "../../store/wires/pages.js";
import { type SentQuery, sentPage, spaceRulesOf } from "../../store/wires/sent.js";
import { endOfThread, threadPage } from "../../store/wires/threads.js";
import { wireOfThread } from "../access/wires.js";
import type { Agent, Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, withCursor } from "../pipeline/pages.js";
import { presentDelivered, presentWires, shortenFor } from "./present-wire.js";

export interface ThreadView {
  handle: number;
  thread: number;
  /**
   * Primary key of the space. Null in a thread of direct messages, where the handle sees only wires that it
   * sent or received.
   */
  space: number | null;
  /** Retention hides wires up to this primary key. */
  floor: number;
  /** Returns the primary key of the last wire that the handle can see. Throws 404 if no wire is visible. */
  end(): Promise<number>;
  page(after: number, limit: number, shorten: Shorten | undefined): Promise<ThreadPage>;
}

export interface ThreadPage {
  wires: RawJson<Wire>[];
  last: number | undefined;
  hasMore: boolean;
}

export function topicOf({ handle, thread, space }: Pick<ThreadView, "handle" | "thread" | "space">): Topics {
  return space === null ? { dmThread: dmThread(thread, handle) } : { thread };
}

/**
 * Finds the thread that contains a wire. Throws 404 if the wire does not exist or the caller may not read its
 * space (docs/specification/reading.md#threads).
 * @param name the id or URI of any wire in the thread
 */
export async function viewThread(ctx: Context<Sender>, session: Session, name: string): Promise<ThreadView> {
  const { thread, space } = await wireOfThread(ctx, session, name);
  if (space && !canReadSpace(space)) throw noSuchWire();
  const handle = ctx.caller.pk;
  const query = { thread, handle, isDm: space === null };
  const floor = await ctx.store.floors.of(space?.retainDays ?? null);
  return {
    handle,
    thread,
    space: space?.pk ?? null,
    floor,
    async end() {
      const end = await endOfThread(session, query);
      if (end === null || end <= floor) throw noSuchWire();
      return end;
    },
    async page(after, limit, shorten) {
      const { items, hasMore } = await threadPage(session, { ...query, after, limit, shorten });
      const wires = await presentWires(session, items, () => space);
      return { wires, last: items.at(-1)?.pk, hasMore };
    },
  };
}

export async function sentWires(
  ctx: Context<Agent>,
  session: Session,
  scope: readonly string[],
  {
    cursor,
    limit = DEFAULT_PAGE_SIZE,
    brief,
    ...query
  }: Pick<SentQuery, "sender" | "to" | "delivery" | "isComplete"> & {
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
  const [rules, deliveries] = await Promise.all([
    spaceRulesOf(session, pks),
    // `isComplete` is set for an operator, who does not see how the wires were delivered.
    query.isComplete ? undefined : deliveriesOf(session, page.items),
  ]);
  const { items, next_cursor } = withCursor(ctx, scope, page, (row) => [row.pk]);
  const presented = await presentWires(session, items, ({ pk }) => rules.get(pk) ?? null);
  const wires = items.map((row, n) => {
    const delivery = deliveries?.get(row.pk);
    return delivery ? presentDelivered(row, delivery) : presented[n]!;
  });
  return { body: { wires, next_cursor }, pks };
}

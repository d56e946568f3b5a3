/** Returns a wire, the thread of a wire, and the wires that the caller has sent. */

import { LATEST } from "../../contract/fields.js";
import type { EncodableOutput, Input } from "../../contract/index.js";
import { assertCanSeeWire, noSuchHandle, noSuchWire } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import type { Session } from "../../store/engine/engine.js";
import { deliveriesOf } from "../../store/inbox/checkpoints.js";
import { threadChanges } from "../../store/wires/changes.js";
import type { SentQuery } from "../../store/wires/sent.js";
import { readableSpaceBatched } from "../access/spaces.js";
import { findWire, visibleWire } from "../access/wires.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeFollowedCursor } from "../pipeline/pages.js";
import { presentDelivered, presentWire, shortenFor } from "../reading/present-wire.js";
import { readOrWait } from "../reading/read-or-wait.js";
import { sentWires, topicOf, viewThread } from "../reading/wire-pages.js";
import { unsentWire } from "./held.js";

export const getWire = read("wires.get", async (ctx, input, session) => {
  let wire = await findWire(ctx, session, input.id);
  if (!wire) {
    const unsent = await unsentWire(ctx, session, input.id);
    if (unsent) return unsent;
    wire = await visibleWire(ctx, session, input.id);
  }
  assertCanSeeWire(wire, ctx.caller.pk);
  const deliveries = wire.sender === ctx.caller.pk ? await deliveriesOf(session, [wire]) : undefined;
  const delivery = deliveries?.get(wire.pk);
  return delivery ? presentDelivered(wire, delivery) : presentWire(session, wire, wire.space);
});

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
  position: { handle: number; space: number | null; thread: number; after: number } | undefined;
}

/**
 * Reads a page. The result contains only the thread's keys, because thousands of waiting requests would keep
 * the whole `ThreadView` in memory.
 */
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
  const cursor = decodeFollowedCursor(ctx, scope, input.cursor)?.[0] ?? 0;
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

/** Returns a page of the caller's sent wires (docs/specification/reading.md#sent-wires). */
export const listSent = read("sent.list", async (ctx, { to, delivery, cursor, limit, brief }, session) => {
  const target = to === undefined ? undefined : await targetOf(ctx, session, to);
  const scope = ["sent.list", ctx.caller.id, JSON.stringify(target ?? null), ...(delivery ? [delivery] : [])];
  const query = { sender: ctx.caller.pk, to: target, delivery, cursor, limit, brief };
  return (await sentWires(ctx, session, scope, query)).body;
});

/**
 * Returns a target's primary key. Accepts retired handles too, because the wires sent to them remain. Throws
 * 404 for an unknown target.
 */
async function targetOf(ctx: Context<Agent>, session: Session, name: string): Promise<SentQuery["to"]> {
  if (name.startsWith("#")) return { space: (await readableSpaceBatched(ctx, name.slice(1))).pk };
  const slug = handleSlug(name);
  const handle = await handleBySlugIncludingRetired(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return { recipient: handle.pk };
}

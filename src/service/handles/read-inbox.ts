import type { Wire } from "../../contract/shapes.js";
import { now } from "../../kernel/clock.js";
import { RawJson } from "../../kernel/raw-json.js";
import { readInboxPage } from "../../store/inbox/inbox.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor } from "../pipeline/pages.js";
import { briefWires, shortenFor } from "../shared/brief-wires.js";
import { policyHandle } from "./policy-handle.js";

/** Reads the inbox of a handle of the human from its oldest item on. Its checkpoint does not move. */
export const readHandleInbox = read("handles.inbox", async (ctx, input) => {
  const { engine, floors } = ctx.store;
  const { pk, resource } = await policyHandle(ctx, engine.reader, input.slug);
  const scope = ["handles.inbox", resource.id];
  const page = await readInboxPage(engine, input.limit ?? DEFAULT_PAGE_SIZE, {
    handle: pk,
    after: decodeCursor(ctx, scope, input.cursor)?.[0] ?? 0,
    floors: await floors.all(),
    shorten: shortenFor(input.brief),
    at: now(),
  });
  const wires = new RawJson<Wire[]>(page.wires);
  return {
    wires: page.isBrief ? wires : await briefWires(wires, input.brief),
    knocks: page.knocks,
    tombstone_notices: page.notices,
    next_cursor: ctx.cursors.encode(scope, [page.to]),
  };
});

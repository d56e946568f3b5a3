import { canReadSpace, noSuchWire } from "../../domain/visibility.js";
import { threadPage } from "../../store/wires/pages.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, withCursor } from "../pipeline/pages.js";
import { presentWire } from "../shared/present-wire.js";
import { existingWire } from "../shared/visible-wire.js";

const MAX_PAGE_SIZE = 100;

/**
 * Returns a page of a thread. In a thread of direct messages, the caller sees only wires that it sent or received
 * (docs/specification/reading.md#threads).
 */
export const getThread = read("threads.get", async (ctx, input, session) => {
  const wire = await existingWire(ctx, session, input.id);
  if (wire.space && !canReadSpace(wire.space)) throw noSuchWire();
  const scope = ["threads.get", ctx.caller.id, String(wire.thread)];
  const after = decodeCursor(ctx, scope, input.cursor)?.[0] ?? 0;
  const limit = Math.min(input.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const page = await threadPage(session, {
    thread: wire.thread,
    handle: ctx.caller.pk,
    isDm: wire.space === null,
    after,
    limit,
  });
  if (page.items.length === 0 && after === 0) throw noSuchWire();
  const { items, next_cursor } = withCursor(ctx, scope, page, (row) => [row.pk]);
  return { wires: items.map((row) => presentWire(row, wire.space)), next_cursor };
});

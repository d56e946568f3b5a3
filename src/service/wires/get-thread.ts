import { canReadSpace, noSuchWire } from "../../domain/visibility.js";
import { threadPage } from "../../store/wires/pages.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE, pageOf, positionOf } from "../pipeline/pages.js";
import { presentWire } from "../shared/present-wire.js";
import { existingWire } from "../shared/visible-wire.js";

const LARGEST_PAGE = 100;

/** All wires of a thread are DM or in one space; of a DM thread the caller sees what it sent or received. */
export const getThread = read("threads.get", async (ctx, input, session) => {
  const wire = await existingWire(ctx, session, input.id);
  if (wire.space && !canReadSpace(wire.space)) throw noSuchWire();
  const scope = ["threads.get", ctx.caller.id, String(wire.thread)];
  const after = positionOf(ctx, scope, input.cursor)?.[0] ?? 0;
  const limit = Math.min(input.limit ?? DEFAULT_PAGE, LARGEST_PAGE);
  const rows = await threadPage(session, {
    thread: wire.thread,
    handle: ctx.caller.pk,
    isDm: wire.space === null,
    after,
    limit: limit + 1,
  });
  if (rows.length === 0 && after === 0) throw noSuchWire();
  const { items, next_cursor } = pageOf(ctx, scope, rows, limit, (row) => [row.pk]);
  return { wires: items.map((row) => presentWire(row, wire.space)), next_cursor };
});

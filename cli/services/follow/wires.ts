/** Implements `--follow` of `wireroom thread` and `wireroom space feed`. */

import type { ListenOptions, Wire, WiresListenOptions } from "../../../sdk/src/index.js";
import { type PageFlags, rejectOptions } from "../../input/pages.js";
import { WIRE_COLUMNS, wireLines } from "../../output/show/wire.js";
import type { Session } from "../../session.js";
import { followItems } from "./items.js";

/**
 * With `--follow`, prints wires as they arrive, starting after `--cursor` or with the next new wire. Stores
 * no cursor. Without `--follow`, resolves to false.
 */
export async function followWires(
  session: Session,
  flags: PageFlags,
  listen: (options: ListenOptions & WiresListenOptions) => AsyncIterable<Wire>,
): Promise<boolean> {
  if (!flags.follow) return false;
  rejectOptions(flags, ["limit", "all", "wait", "brief"], "--follow");
  // Without a cursor, the SDK starts with the next new wire.
  const cursor = flags.cursor === "latest" ? undefined : flags.cursor;
  const cursors = { get: () => cursor, set: () => {} };
  await followItems<Wire>(session, {
    listen: (options) => listen({ ...options, cursors }),
    json: (wire) => wire,
    operation: "threads.get",
    columns: WIRE_COLUMNS,
    lines: (wire) => wireLines(wire, session.output),
  });
  return true;
}

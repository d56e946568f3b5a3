/** Implements `--follow` of `wireroom thread` and `wireroom space feed`. */

import type { ListenOptions, Wire, WiresListenOptions } from "../../../sdk/src/index.js";
import { type FollowFlags, rejectOptions } from "../../input/pages.js";
import { WIRE_COLUMNS, wireLines } from "../../output/show/wire.js";
import type { Session } from "../../session.js";
import { followItems } from "./items.js";

/** Returns the wires of a thread or a space as they arrive. */
export type FollowedWires = (options: ListenOptions & WiresListenOptions) => AsyncIterable<Wire>;

/** Prints the wires as they arrive: those after `--cursor`, or only those from now on. Stores no position. */
export async function followWires(
  session: Session,
  flags: FollowFlags,
  listen: FollowedWires,
): Promise<void> {
  // Options for reading pages.
  rejectOptions(flags, ["limit", "all", "wait", "brief"], "--follow");
  // Without a stored position, the SDK begins at the current end.
  const cursor = flags.cursor === "latest" ? undefined : flags.cursor;
  const cursors = { get: () => cursor, set: () => {} };
  await followItems<Wire>(session, {
    listen: (options) => listen({ ...options, cursors }),
    json: (wire) => wire,
    operation: "threads.get",
    columns: WIRE_COLUMNS,
    lines: (wire) => wireLines(wire, session.output),
  });
}

/** Implements `--follow` of `wireroom thread` and `wireroom space feed`. */

import type { ListenOptions, Wire, WiresListenOptions } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import type { FollowFlags } from "../../input/pages.js";
import { WIRE_COLUMNS, wireLines } from "../../output/show/wire.js";
import type { Session } from "../../session.js";
import { followItems } from "./items.js";

/** Options for reading pages, which `--follow` rejects. */
const PAGE_OPTIONS = ["limit", "all", "wait", "brief"] as const;

/** Returns the wires of a thread or a space as they arrive. */
export type FollowedWires = (options: ListenOptions & WiresListenOptions) => AsyncIterable<Wire>;

/**
 * Prints the wires of a thread or a space as they arrive: those after `--cursor`, or only those from now on.
 * The position is not stored.
 */
export async function followWires(
  session: Session,
  flags: FollowFlags,
  listen: FollowedWires,
): Promise<void> {
  const other = PAGE_OPTIONS.find((name) => flags[name] !== undefined);
  if (other) throw new Failure("USAGE", `--follow cannot be combined with --${other}`);
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

/** Yields the wires that are not replies. */
export async function* rootsOf(wires: AsyncIterable<Wire>): AsyncGenerator<Wire, void, undefined> {
  for await (const wire of wires) if (wire.reply_to === null) yield wire;
}

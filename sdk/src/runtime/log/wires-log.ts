/** The feed of a space or a thread as a log, whose position is in a store of the caller. */
import type { Wire } from "../../generated/shapes.js";
import type { CallOptions } from "../operation.js";
import type { ReceivedWire } from "../wires/received.js";
import type { CursorStore } from "./cursors.js";
import { assertPageItems, type Log, type LogRead } from "./log.js";

/**
 * Where to begin if the store has no position: with the wires that are posted from now on, or with the oldest
 * wire.
 */
export type ListenStart = "latest" | "beginning";

/** Options of `spaces.listen` and `threads.listen` besides those of `inbox.listen`. */
export interface WiresListenOptions {
  /** Where the position is stored. Default: in memory, for as long as the client exists. */
  cursors?: CursorStore | undefined;
  /**
   * Where to begin if no position is stored: `latest` yields the wires from now on, `beginning` all wires,
   * oldest first. Default: `latest`.
   */
  start?: ListenStart | undefined;
}

/** Reads the wires after a cursor, oldest first. */
export type ReadWires<Payload> = (
  input: Omit<LogRead, "cursor"> & { cursor?: string | undefined },
  options: CallOptions,
) => PromiseLike<{ wires: Wire<Payload>[]; next_cursor: string | null }>;

/** Returns a log of wires. @param key the key of its position in the store */
export function wiresLog<Payload>(
  key: string,
  readWires: ReadWires<Payload>,
  received: (wire: Wire<Payload>) => ReceivedWire<Payload>,
  { cursors, start = "latest" }: WiresListenOptions & { cursors: CursorStore },
): Log<ReceivedWire<Payload>> {
  let stored: string | undefined;
  const acknowledge = async (cursor: string) => {
    if (cursor === stored) return;
    await cursors.set(key, cursor);
    stored = cursor;
  };
  /** Returns the stored cursor. If there is none, stores that of the start; undefined is the beginning. */
  const position = async (options: CallOptions) => {
    stored ??= await cursors.get(key);
    if (stored !== undefined || start === "beginning") return stored;
    const { next_cursor } = await readWires({ cursor: "latest", limit: 1, wait: 0 }, options);
    await acknowledge(next_cursor!);
    return stored;
  };
  return {
    async read({ cursor, limit, wait }, options) {
      if (cursor !== undefined) await acknowledge(cursor);
      const from = cursor ?? (await position(options));
      const page = await readWires({ ...(from !== undefined && { cursor: from }), limit, wait }, options);
      assertPageItems(page.wires.length);
      return { items: page.wires.map(received), next: page.next_cursor! };
    },
    acknowledge,
    keyOf: ({ id }) => id,
    threadOf: ({ thread_id }) => thread_id,
  };
}

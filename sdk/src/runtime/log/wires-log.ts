/** Reads a space's feed or a thread as a log. The caller's cursor store keeps the reading position. */
import type { Wire } from "../../generated/shapes.js";
import type { CallOptions } from "../operation.js";
import type { ReceivedWire } from "../wires/received.js";
import type { CursorStore } from "./cursors.js";
import { assertPageItems, type Log, type LogRead } from "./log.js";

/** Where reading begins if no position is stored: at the next new wire, or at the oldest wire. */
export type ListenStart = "latest" | "beginning";

/** Options of `spaces.listen` and `threads.listen`, in addition to `ListenOptions`. */
export interface WiresListenOptions {
  /** Stores the reading position. Default: the client keeps the position in memory. */
  cursors?: CursorStore | undefined;
  /**
   * Where to begin if no position is stored. `latest` yields only wires posted from now on. `beginning`
   * yields all wires, oldest first. Default: `latest`.
   */
  start?: ListenStart | undefined;
}

export type ReadWires<Payload> = (
  input: Omit<LogRead, "cursor"> & { cursor?: string | undefined },
  options: CallOptions,
) => PromiseLike<{ wires: Wire<Payload>[]; next_cursor: string | null }>;

/** @param key the key under which the store keeps the reading position */
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
  /**
   * If no cursor is stored, returns undefined for `beginning`. For `latest`, stores and returns the latest
   * cursor.
   */
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

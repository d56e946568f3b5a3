/** Reads the inbox as a log. The service stores the reading position, which is the inbox checkpoint. */
import type { InboxReadInput, InboxReadOutput } from "../../generated/inbox.js";
import { assertPageItems, type Log } from "../log/log.js";
import type { CallOptions } from "../operation.js";
import type { Received } from "../wires/received.js";
import { inOrder, itemKey, type ReceivedItem, threadOf } from "./item.js";

/** The type of `inbox.read`. */
type ReadInbox<Payload> = (
  input: InboxReadInput,
  options: CallOptions,
) => PromiseLike<InboxReadOutput<Payload>>;

/** @param received adds the method `reply` to a wire */
export function inboxLog<Payload>(read: ReadInbox<Payload>, received: Received): Log<ReceivedItem<Payload>> {
  return {
    async read(input, options) {
      const { next_cursor: next, ...page } = await read(input, options);
      assertPageItems(Object.values(page).reduce((count, { length }) => count + length, 0));
      const items = inOrder(page).map(
        (item): ReceivedItem<Payload> =>
          item.kind === "wire" ? { kind: "wire", wire: received(item.wire) } : item,
      );
      return { items, next };
    },
    // Read the smallest page, because any read with a cursor acknowledges the items before the cursor.
    acknowledge: async (cursor, options) => void (await read({ cursor, limit: 1 }, options)),
    keyOf: itemKey,
    threadOf,
  };
}

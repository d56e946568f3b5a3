/** Logs: lists of items that are read with cursors, such as the inbox, a space's feed or a thread. */
import { WireroomError } from "../errors.js";
import type { CallOptions } from "../operation.js";

export interface LogPage<Item> {
  items: Item[];
  next: string;
}

/** Input of `Log.read`. */
export interface LogRead {
  /** Undefined for the stored position. */
  cursor: string | undefined;
  limit: number;
  /** In seconds. */
  wait: number;
}

export interface Log<Item> {
  /** Reads the items after the cursor. Stores the cursor, which acknowledges all items before it. */
  read(input: LogRead, options: CallOptions): Promise<LogPage<Item>>;
  /** Acknowledges all items before the cursor. */
  acknowledge(cursor: string, options: CallOptions): Promise<void>;
  /** Identifies an item within the log. */
  keyOf(item: Item): string;
  /** `work` handles items with the same key one at a time. */
  threadOf(item: Item): string;
}

/** The service's maximum page size (docs/specification/requests.md#pagination). */
const MAX_PAGE_ITEMS = 100;

/**
 * Throws a `WireroomError` if a page is larger than the service allows, because so many items could block the
 * process.
 */
export function assertPageItems(count: number): void {
  if (count > MAX_PAGE_ITEMS)
    throw new WireroomError(
      `the response has ${count} items, and a page has at most ${MAX_PAGE_ITEMS}; check that the base URL is that of a Wireroom service`,
      { code: "UNEXPECTED_RESPONSE", status: 200 },
    );
}

/** Options of the last acknowledgement. The limits are low, because the caller waits for the loop to end. */
export const FINAL_ACKNOWLEDGEMENT: CallOptions = { timeout: 3_000, maxRetries: 1, maxRetryAfter: 3 };

/**
 * A long poll that ends sooner than this without items was ended by a proxy or a stopping daemon. The client
 * then pauses for `PAUSE_MS` before the next long poll.
 */
export const MIN_POLL_MS = 500;
export const PAUSE_MS = 250;

/**
 * Returns a cursor with only finished items before it, and the keys of these items. Returns undefined
 * if no page ends there. The service returns cursors only for page ends, so this function reads shorter and
 * shorter pages until a page contains only finished items.
 *
 * @param finished keys of the finished items
 */
export async function cursorAfter<Item>(
  log: Log<Item>,
  cursor: string | undefined,
  finished: ReadonlySet<string>,
  options: CallOptions,
): Promise<{ cursor: string; passed: ReadonlySet<string> } | undefined> {
  for (let limit = finished.size; limit > 0; limit--) {
    const page = await log.read({ cursor, limit, wait: 0 }, options);
    const passed = new Set(page.items.map(log.keyOf));
    // The page may contain an unfinished item, because the service does not sort the inbox by time, but the
    // client delivers items by time.
    if ([...passed].every((key) => finished.has(key))) return { cursor: page.next, passed };
  }
  return undefined;
}

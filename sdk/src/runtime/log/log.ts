/** A log of items that is read by cursors: the inbox, the feed of a space or a thread. */
import { WireroomError } from "../errors.js";
import type { CallOptions } from "../operation.js";

/** The items after a cursor, and the cursor after the last one. */
export interface LogPage<Item> {
  items: Item[];
  next: string;
}

/** The fields of a read of a log. */
export interface LogRead {
  /** Undefined means the stored position. */
  cursor: string | undefined;
  limit: number;
  /** Seconds to wait if there are no items. */
  wait: number;
}

/** A log, and the stored position of its reader. */
export interface Log<Item> {
  /**
   * Reads the items after the cursor. Acknowledges all items before the cursor, which moves the stored
   * position.
   */
  read(input: LogRead, options: CallOptions): Promise<LogPage<Item>>;
  /** Acknowledges all items before the cursor. */
  acknowledge(cursor: string, options: CallOptions): Promise<void>;
  /** Returns a key that identifies an item within the log. */
  keyOf(item: Item): string;
  /** Returns the key of the items that `work` must handle one after the other: those of a thread. */
  threadOf(item: Item): string;
}

/** No page has more items: the maximum of `limit`. docs/specification/requests.md#pagination */
const MAX_PAGE_ITEMS = 100;

/**
 * Throws a `WireroomError` if a page has more items than any page of the service. Their handling could block
 * the process.
 */
export function assertPageItems(count: number): void {
  if (count > MAX_PAGE_ITEMS)
    throw new WireroomError(
      `the response has ${count} items, and a page has at most ${MAX_PAGE_ITEMS}; check that the base URL is that of a Wireroom service`,
      { code: "UNEXPECTED_RESPONSE", status: 200 },
    );
}

/**
 * Options of the last acknowledgement. Its limits are low, because the caller's loop ends only after this
 * request.
 */
export const FINAL_ACKNOWLEDGEMENT: CallOptions = { timeout: 3_000, maxRetries: 1, maxRetryAfter: 3 };

/**
 * Minimum duration of a normal long poll without items. If a proxy or a stopping daemon ends one sooner, the
 * next long poll is delayed.
 */
export const MIN_POLL_MS = 500;
export const PAUSE_MS = 250;

/**
 * Returns the cursor after the finished items of a log, or undefined if there is none. The service returns a
 * cursor only for the end of a page, so this function reads shorter and shorter pages until one contains only
 * finished items.
 *
 * @param finished the keys of finished items, of which all items before the cursor must be a part
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
    // The items of an inbox are delivered sorted by time, but the service does not sort them, so this page
    // may contain an unfinished item.
    if ([...passed].every((key) => finished.has(key))) return { cursor: page.next, passed };
  }
  return undefined;
}

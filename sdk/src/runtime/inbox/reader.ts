/** Reads an inbox page by page, and acknowledges the items that the caller has finished. */
import type { InboxReadInput, InboxReadOutput } from "../../generated/inbox.js";
import type { CallOptions } from "../operation.js";
import { type InboxItem, inOrder, itemKey } from "./item.js";

/** The type of `inbox.read`. */
export type ReadInbox<Payload> = (
  input: InboxReadInput,
  options: CallOptions,
) => PromiseLike<InboxReadOutput<Payload>>;

/** Options of the last acknowledgement. Its limits are low, because the caller's loop ends only after this request. */
const FINAL_ACKNOWLEDGEMENT = { timeout: 3_000, maxRetries: 1, maxRetryAfter: 3 };

/**
 * Reads an inbox with a cursor. The caller has finished all items before the cursor. The next read acknowledges these
 * items.
 */
export class InboxReader<Payload> {
  /** The cursor for the next read. If it is undefined, the service reads from the checkpoint that it stores. */
  #cursor: string | undefined;
  #isAcknowledged = true;
  /**
   * The items of the current page. `#next` is the cursor after the page, and `#finished` the number of finished items.
   */
  #items: InboxItem<Payload>[] = [];
  #next: string | undefined;
  #finished = 0;

  constructor(private readonly read: ReadInbox<Payload>) {}

  /** Reads the page at the cursor. The read acknowledges all items before the cursor. */
  async page(limit: number, wait: number, options: CallOptions): Promise<InboxItem<Payload>[]> {
    const page = await this.read({ cursor: this.#cursor, limit, wait }, options);
    this.#isAcknowledged = true;
    this.#items = inOrder(page);
    this.#next = page.next_cursor;
    this.#finished = 0;
    return this.#items;
  }

  /** Marks the next item of the page as finished. After the last item, moves the cursor to the next page. */
  finish(): void {
    this.#finished++;
    if (this.#finished < this.#items.length) return;
    this.#cursor = this.#next;
    this.#isAcknowledged = false;
    this.#items = [];
    this.#finished = 0;
  }

  /**
   * Acknowledges the finished items, unless they are already acknowledged. A second call does nothing, even after a
   * failure.
   */
  async acknowledge(): Promise<void> {
    await this.#moveCursorAfterFinished();
    if (this.#isAcknowledged) return;
    this.#isAcknowledged = true;
    await this.read({ cursor: this.#cursor, limit: 1 }, FINAL_ACKNOWLEDGEMENT);
  }

  /**
   * Moves the cursor after the finished items of the current page. The service returns a cursor only for the end of a
   * page, so this method reads shorter and shorter pages until one contains only finished items.
   */
  async #moveCursorAfterFinished(): Promise<void> {
    const finished = new Set(this.#items.slice(0, this.#finished).map(itemKey));
    this.#items = [];
    for (let limit = finished.size; limit > 0; limit--) {
      const page = await this.read({ cursor: this.#cursor, limit }, FINAL_ACKNOWLEDGEMENT);
      // `listen` sorts items by time, but the service does not, so this page may contain an unfinished item.
      if (!inOrder(page).every((item) => finished.has(itemKey(item)))) continue;
      this.#cursor = page.next_cursor;
      this.#isAcknowledged = false;
      return;
    }
  }
}

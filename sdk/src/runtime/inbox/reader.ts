/** Reads an inbox page by page, and acknowledges what the caller has finished. */
import type { InboxReadInput, InboxReadOutput } from "../../generated/inbox.js";
import type { CallOptions } from "../operation.js";
import { type InboxItem, idOf, inOrder } from "./item.js";

/** `inbox.read`, as the reader calls it. */
export type ReadInbox<Payload> = (
  input: InboxReadInput,
  options: CallOptions,
) => PromiseLike<InboxReadOutput<Payload>>;

/** The last acknowledgement may hold up the end of a loop no longer than this. */
const FINAL_ACKNOWLEDGEMENT = { timeout: 3_000, maxRetries: 1 };

/** A cursor over an inbox: everything before it is finished, and reading from it acknowledges that. */
export class InboxReader<Payload> {
  /** Undefined stands for the checkpoint that the service keeps. */
  #cursor: string | undefined;
  #isAcknowledged = true;
  /** The current page, the cursor after it, and how many of its items are finished. */
  #items: InboxItem<Payload>[] = [];
  #next: string | undefined;
  #finished = 0;

  constructor(private readonly read: ReadInbox<Payload>) {}

  /** Reads the page at the cursor, which acknowledges everything before it. */
  async page(limit: number, wait: number, options: CallOptions): Promise<InboxItem<Payload>[]> {
    const page = await this.read({ cursor: this.#cursor, limit, wait }, options);
    this.#isAcknowledged = true;
    this.#items = inOrder(page);
    this.#next = page.next_cursor;
    this.#finished = 0;
    return this.#items;
  }

  /** Marks the next item of the page as finished; after the last one the cursor moves on. */
  finish(): void {
    this.#finished++;
    if (this.#finished < this.#items.length) return;
    this.#cursor = this.#next;
    this.#isAcknowledged = false;
    this.#items = [];
    this.#finished = 0;
  }

  /** Acknowledges what is finished, if the service may not know of it. A second call does nothing, even after a failure. */
  async acknowledge(): Promise<void> {
    await this.#moveBehindFinished();
    if (this.#isAcknowledged) return;
    this.#isAcknowledged = true;
    await this.read({ cursor: this.#cursor, limit: 1 }, FINAL_ACKNOWLEDGEMENT);
  }

  /**
   * Moves the cursor into a page that was left in the middle. Cursors stand at the ends of pages, so this reads the longest
   * page that holds finished items only. Its length is their number, unless their times and the log disagree on the order.
   */
  async #moveBehindFinished(): Promise<void> {
    const finished = new Set(this.#items.slice(0, this.#finished).map(idOf));
    this.#items = [];
    for (let limit = finished.size; limit > 0; limit--) {
      const page = await this.read({ cursor: this.#cursor, limit }, FINAL_ACKNOWLEDGEMENT);
      if (!inOrder(page).every((item) => finished.has(idOf(item)))) continue;
      this.#cursor = page.next_cursor;
      this.#isAcknowledged = false;
      return;
    }
  }
}

/** Reads a log page by page and acknowledges items that the caller has finished. */
import type { CallOptions } from "../operation.js";
import { cursorAfter, FINAL_ACKNOWLEDGEMENT, type Log } from "./log.js";

/** Reads a log. All items before the cursor are finished, and the next read acknowledges them. */
export class LogReader<Item> {
  /** Undefined means the stored position. */
  #cursor: string | undefined;
  #isAcknowledged = true;
  #items: Item[] = [];
  #next: string | undefined;
  #finished = 0;

  constructor(private readonly log: Log<Item>) {}

  /** Reads a page, and acknowledges all items before it. */
  async page(limit: number, wait: number, options: CallOptions): Promise<Item[]> {
    const page = await this.log.read({ cursor: this.#cursor, limit, wait }, options);
    this.#isAcknowledged = true;
    this.#items = page.items;
    this.#next = page.next;
    this.#finished = 0;
    // The service may have skipped items, such as notices of a space that the handle has left.
    if (page.items.length === 0) this.#cursor = page.next;
    return this.#items;
  }

  /** Marks the page's next item as finished. After the last item, moves the cursor to the next page. */
  finish(): void {
    this.#finished++;
    if (this.#finished < this.#items.length) return;
    this.#cursor = this.#next;
    this.#isAcknowledged = false;
    this.#items = [];
    this.#finished = 0;
  }

  /** Does nothing if all finished items are already acknowledged. */
  async acknowledge(): Promise<void> {
    await this.#moveCursorAfterFinished();
    if (this.#isAcknowledged) return;
    this.#isAcknowledged = true;
    await this.log.acknowledge(this.#cursor!, FINAL_ACKNOWLEDGEMENT);
  }

  async #moveCursorAfterFinished(): Promise<void> {
    const finished = new Set(this.#items.slice(0, this.#finished).map(this.log.keyOf));
    this.#items = [];
    const moved = await cursorAfter(this.log, this.#cursor, finished, FINAL_ACKNOWLEDGEMENT);
    if (moved === undefined) return;
    this.#cursor = moved.cursor;
    this.#isAcknowledged = false;
  }
}

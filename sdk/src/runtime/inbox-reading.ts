/** One reading of an inbox: where it stands, and what the service has been told of it. */
import type { InboxReadInput, InboxReadOutput } from "../generated/inbox.js";
import { type InboxItem, inOrder, nameOf } from "./inbox-item.js";
import type { CallOptions } from "./operation.js";

/** `inbox.read`, as a reading calls it. */
export type ReadInbox<Payload> = (
  input: InboxReadInput,
  options: CallOptions,
) => PromiseLike<InboxReadOutput<Payload>>;

/** How long telling the service what is finished may hold up the end of a loop. */
const LAST_WORD = { timeout: 3_000, maxRetries: 1 };

/** Keeps what is finished and what the service knows of it, apart from the loop that gives the items. */
export class InboxReading<Payload> {
  /** Everything before it is finished; undefined stands for the checkpoint that the service keeps. */
  #cursor: string | undefined;
  /** Whether the service may not know `#cursor` yet. */
  #untold = false;
  /** The page under way, and how many of its items are finished. */
  #items: InboxItem<Payload>[] = [];
  #next: string | undefined;
  #finished = 0;

  constructor(private readonly read: ReadInbox<Payload>) {}

  /** Reads the next page, which tells the service that everything before it is finished. */
  async page(limit: number, wait: number, options: CallOptions): Promise<InboxItem<Payload>[]> {
    const page = await this.read({ cursor: this.#cursor, limit, wait }, options);
    this.#untold = false;
    this.#items = inOrder(page);
    this.#next = page.next_cursor;
    this.#finished = 0;
    return this.#items;
  }

  /** The next item of the page is finished. */
  finish(): void {
    this.#finished++;
    if (this.#finished < this.#items.length) return;
    this.#cursor = this.#next;
    this.#untold = true;
    this.#items = [];
    this.#finished = 0;
  }

  /** Tells the service what is finished, if it may not know. It is tried once: a second call does nothing. */
  async acknowledge(): Promise<void> {
    await this.#acknowledgePart();
    if (!this.#untold) return;
    this.#untold = false;
    await this.read({ cursor: this.#cursor, limit: 1 }, LAST_WORD);
  }

  /**
   * Of a page that was left in the middle: cursors stand at the ends of pages, so a shorter page is read again that holds
   * nothing but finished items. It is as long as they are many, unless times and the log disagree on the order.
   */
  async #acknowledgePart(): Promise<void> {
    const finished = new Set(this.#items.slice(0, this.#finished).map(nameOf));
    this.#items = [];
    for (let limit = finished.size; limit > 0; limit--) {
      const page = await this.read({ cursor: this.#cursor, limit }, LAST_WORD);
      if (!inOrder(page).every((item) => finished.has(nameOf(item)))) continue;
      this.#cursor = page.next_cursor;
      this.#untold = true;
      return;
    }
  }
}

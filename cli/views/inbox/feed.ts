/**
 * Polls the inbox without moving its checkpoint. A read with a cursor would move the checkpoint, so reads
 * send no cursor. While no item is pending, each read is a long poll. Otherwise the service answers at once,
 * and the feed reads once per second.
 */
import {
  type InboxItem,
  type InboxReadInput,
  inOrder,
  type Wireroom,
  WireroomError,
} from "../../../sdk/src/index.js";
import { monotonicMs, sleep } from "../../clock.js";
import { idOf } from "./items.js";

const LONG_POLL_SECONDS = 25;
/** Delay between two reads while the inbox has pending items. */
const INTERVAL_MS = 1_000;
/** Delay before a retry while the daemon does not answer. It doubles after each failure, up to `max`. */
const BACKOFF_MS = { initial: 250, max: 3_000 };
/** Timeout of a read, added to the duration of its long poll. */
const TIMEOUT_MS = 10_000;
/** A long poll that ends sooner than this without items means that the daemon is shutting down. */
const SHORTEST_POLL_MS = 500;
/** Maximum number of items per page of the inbox (docs/specification/reading.md). */
export const LARGEST_PAGE = 100;
/** Each read requests this many more items than the last read returned, to leave room for new items. */
const NEW_ITEMS = 20;

export interface FeedEvents {
  /**
   * Called after each read with the pending items, at most 100.
   * @param hasChanged whether the items differ from the previous read
   */
  pending(items: readonly InboxItem[], hasChanged: boolean): void;
  unreachable(): void;
  /** Called when the feed stops because of an error that a retry cannot fix. */
  ended(error: unknown): void;
}

export class Feed {
  readonly #stop = new AbortController();
  /** Aborts the current long poll or delay. */
  #wait = new AbortController();
  /**
   * Settles after the last read or acknowledgement. The next one waits for it, so that they never overlap.
   */
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** Number of pending items at the last read. Undefined until then, so the first read is not a long poll. */
  #pendingCount: number | undefined;
  /** The last read's items as JSON, to detect changes. */
  #serialised: string | undefined;

  constructor(
    private readonly client: Wireroom,
    private readonly events: FeedEvents,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; ) {
      this.#wait = new AbortController();
      const pause = AbortSignal.any([signal, this.#wait.signal]);
      try {
        await this.#oneAtATime(() => this.#read(pause));
        failures = 0;
        if (this.#pendingCount !== 0) await sleep(INTERVAL_MS, pause);
      } catch (error) {
        if (pause.aborted) continue;
        if (!isTransient(error)) return this.events.ended(error);
        this.events.unreachable();
        await sleep(Math.min(BACKOFF_MS.max, BACKOFF_MS.initial * 2 ** failures++), pause);
      }
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Starts the next read at once. */
  refresh(): void {
    this.#wait.abort();
  }

  /**
   * Moves the inbox's checkpoint past these items, which must be the first pending items. Returns the
   * acknowledged items.
   *
   * The checkpoint can move only to the end of a page, so the method reads a page that ends with the last
   * item. The page may contain other items, because the service sorts the inbox by arrival and this view
   * sorts it by time. In that case, the method reads a shorter page.
   */
  async acknowledge(items: readonly InboxItem[]): Promise<readonly InboxItem[]> {
    const ids = new Set(items.map(idOf));
    this.#wait.abort();
    return this.#oneAtATime(async () => {
      for (let limit = Math.min(ids.size, LARGEST_PAGE); limit > 0; limit--) {
        const { items: pageItems, next } = await this.#page({ limit });
        if (pageItems.length === 0) return [];
        if (!pageItems.every((item) => ids.has(idOf(item)))) continue;
        await this.#page({ cursor: next, limit: 1 });
        return pageItems;
      }
      return [];
    }).finally(() => this.#wait.abort());
  }

  #oneAtATime<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.#lastTurn.then(task);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  async #read(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const startedMs = monotonicMs();
    const wait = this.#pendingCount === 0 ? LONG_POLL_SECONDS : 0;
    const limit = Math.min(LARGEST_PAGE, (this.#pendingCount ?? 0) + NEW_ITEMS);
    let { items } = await this.#page({ limit, wait }, signal);
    if (items.length === limit && limit < LARGEST_PAGE)
      ({ items } = await this.#page({ limit: LARGEST_PAGE }, signal));
    this.#pendingCount = items.length;
    const serialised = JSON.stringify(items);
    this.events.pending(items, serialised !== this.#serialised);
    this.#serialised = serialised;
    if (items.length === 0 && monotonicMs() - startedMs < SHORTEST_POLL_MS)
      await sleep(BACKOFF_MS.initial, signal);
  }

  async #page(
    input: InboxReadInput,
    signal = this.#stop.signal,
  ): Promise<{ items: InboxItem[]; next: string }> {
    const page = await this.client.inbox.read(input, { signal, maxRetries: 0, timeout: TIMEOUT_MS });
    return { items: inOrder(page), next: page.next_cursor };
  }
}

function isTransient(error: unknown): error is WireroomError {
  if (!(error instanceof WireroomError)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

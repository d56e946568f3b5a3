/**
 * Follows the inbox without moving the checkpoint: presenting a cursor would move it, so every read starts at the
 * checkpoint that the service keeps. While nothing is pending, a read is a long poll; otherwise it is answered at once, and
 * is repeated at intervals.
 */
import { Mutex } from "async-mutex";
import {
  type InboxItem,
  type InboxReadOutput,
  inOrder,
  type Wireroom,
  WireroomError,
} from "../../../sdk/src/index.js";
import { now, sleep } from "../../clock.js";
import { nameOf } from "./items.js";

const LONG_POLL_SECONDS = 25;
/** Time between reads while items are pending. */
const INTERVAL_MS = 1_000;
/** Time until the next attempt while the daemon does not answer: first and at most. */
const BACKOFF_MS = { first: 250, most: 3_000 };
/** Time that a read may take beyond its long poll. */
const TIMEOUT_MS = 10_000;
/** An empty answer that comes sooner was no long poll: the daemon is stopping. */
const SHORTEST_POLL_MS = 500;
/** The most that the service gives at once. */
export const LARGEST_PAGE = 100;
/** Room in a reading for what is new. */
const MARGIN = 20;

export interface FeedEvents {
  /** Everything that is pending, or its first hundred items. */
  pending(items: readonly InboxItem[]): void;
  /** The daemon does not answer, or cannot now. It is tried again. */
  away(): void;
  /** The feed cannot go on. */
  ended(error: unknown): void;
}

export class Feed {
  readonly #stop = new AbortController();
  /** Ends the hold or the pause under way. */
  #hold = new AbortController();
  /** Reads and acknowledgements exclude each other: otherwise a read could return what an acknowledgement has passed. */
  readonly #mutex = new Mutex();
  /** How many are pending; undefined until the first reading, which is not held: whoever opens the view wants to see. */
  #known: number | undefined;

  constructor(
    private readonly client: Wireroom,
    private readonly events: FeedEvents,
  ) {}

  /** Reads until `stop`. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; ) {
      this.#hold = new AbortController();
      const pause = AbortSignal.any([signal, this.#hold.signal]);
      try {
        await this.#mutex.runExclusive(() => this.#read(pause));
        failures = 0;
        if (this.#known !== 0) await sleep(INTERVAL_MS, pause);
      } catch (error) {
        if (pause.aborted) continue;
        if (!isPassing(error)) return this.events.ended(error);
        this.events.away();
        await sleep(Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** failures++), pause);
      }
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Reads again at once. */
  refresh(): void {
    this.#hold.abort();
  }

  /**
   * Moves the checkpoint behind these items, which are the first that are pending. Cursors stand at the ends of pages,
   * so a page is read that ends with the last of them; where times and the log disagree on the order it is shorter, as
   * what is not among them must not be skipped. Gives how many the checkpoint has passed.
   */
  async dealWith(items: readonly InboxItem[]): Promise<number> {
    const names = new Set(items.map(nameOf));
    this.#hold.abort();
    return this.#mutex
      .runExclusive(async () => {
        for (let limit = Math.min(names.size, LARGEST_PAGE); limit > 0; limit--) {
          const page = inOrderOf(await this.#page({ limit }));
          if (page.items.length === 0) return 0;
          if (!page.items.every((item) => names.has(nameOf(item)))) continue;
          await this.#page({ cursor: page.next, limit: 1 });
          return page.items.length;
        }
        return 0;
      })
      .finally(() => this.#hold.abort());
  }

  async #read(hold: AbortSignal): Promise<void> {
    if (hold.aborted) return;
    const started = now();
    const wait = this.#known === 0 ? LONG_POLL_SECONDS : 0;
    const limit = Math.min(LARGEST_PAGE, (this.#known ?? 0) + MARGIN);
    let { items } = inOrderOf(await this.#page({ limit, wait }, hold));
    if (items.length === limit && limit < LARGEST_PAGE)
      items = inOrderOf(await this.#page({ limit: LARGEST_PAGE }, hold)).items;
    this.#known = items.length;
    this.events.pending(items);
    if (items.length === 0 && now() - started < SHORTEST_POLL_MS) await sleep(BACKOFF_MS.first, hold);
  }

  #page(
    input: { cursor?: string; limit: number; wait?: number },
    signal: AbortSignal = this.#stop.signal,
  ): Promise<InboxReadOutput> {
    return Promise.resolve(this.client.inbox.read(input, { signal, maxRetries: 0, timeout: TIMEOUT_MS }));
  }
}

function inOrderOf(page: InboxReadOutput): { items: InboxItem[]; next: string } {
  return { items: inOrder(page), next: page.next_cursor };
}

/** Faults that pass by themselves: no answer, or one that says: not now. */
function isPassing(error: unknown): error is WireroomError {
  if (!(error instanceof WireroomError)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

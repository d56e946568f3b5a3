/**
 * What is new, as it comes, without touching the checkpoint: a cursor that is presented moves it, so every reading
 * starts at the checkpoint that the service keeps (decisions, section 5). While nothing is pending such a reading is a
 * long-poll; while something is, it would be answered at once, so it is repeated at intervals.
 */
import {
  type InboxItem,
  type InboxReadOutput,
  inOrder,
  type Wireroom,
  WireroomError,
} from "../../../sdk/src/index.js";
import { now, sleep } from "../../clock.js";
import { nameOf } from "./items.js";

/** Seconds that one long-poll is held. */
const WAIT = 25;
/** Milliseconds between readings while items are pending. */
const INTERVAL = 1_000;
/** Milliseconds until the next try, first and at most, while the daemon does not answer. */
const BACKOFF = { first: 250, most: 3_000 };
/** Milliseconds that a reading may take beyond what it is held for. */
const PATIENCE = 10_000;
/** An empty answer that comes sooner was not held: the daemon is stopping. */
const HELD_AT_LEAST = 500;
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
  /** Readings and acknowledgements take turns, so that none sees the inbox as it was before another. */
  #turn: Promise<unknown> = Promise.resolve();
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
        await this.#exclusive(() => this.#read(pause));
        failures = 0;
        if (this.#known !== 0) await sleep(INTERVAL, pause);
      } catch (error) {
        if (pause.aborted) continue;
        if (!isPassing(error)) return this.events.ended(error);
        this.events.away();
        await sleep(Math.min(BACKOFF.most, BACKOFF.first * 2 ** failures++), pause);
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
    return this.#exclusive(async () => {
      for (let limit = Math.min(names.size, LARGEST_PAGE); limit > 0; limit--) {
        const page = inOrderOf(await this.#page({ limit }));
        if (page.items.length === 0) return 0;
        if (!page.items.every((item) => names.has(nameOf(item)))) continue;
        await this.#page({ cursor: page.next, limit: 1 });
        return page.items.length;
      }
      return 0;
    }).finally(() => this.#hold.abort());
  }

  async #read(hold: AbortSignal): Promise<void> {
    if (hold.aborted) return;
    const started = now();
    const wait = this.#known === 0 ? WAIT : 0;
    const limit = Math.min(LARGEST_PAGE, (this.#known ?? 0) + MARGIN);
    let { items } = inOrderOf(await this.#page({ limit, wait }, hold));
    if (items.length === limit && limit < LARGEST_PAGE)
      items = inOrderOf(await this.#page({ limit: LARGEST_PAGE }, hold)).items;
    this.#known = items.length;
    this.events.pending(items);
    if (items.length === 0 && now() - started < HELD_AT_LEAST) await sleep(BACKOFF.first, hold);
  }

  #page(
    input: { cursor?: string; limit: number; wait?: number },
    signal: AbortSignal = this.#stop.signal,
  ): Promise<InboxReadOutput> {
    return Promise.resolve(this.client.inbox.read(input, { signal, maxRetries: 0, timeout: PATIENCE }));
  }

  #exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
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

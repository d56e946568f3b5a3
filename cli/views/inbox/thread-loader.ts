/** Loads threads and search results for the thread pane. Each request aborts the previous one. */
import { LRUCache } from "lru-cache";
import type { InboxItem, Wire, Wireroom } from "../../../sdk/src/index.js";
import { sleep } from "../../clock.js";
import { type Placed, threadTree } from "../../output/show/thread.js";
import type { Thread } from "./thread.js";

/** Delay before the selected item's thread loads, so that scrolling through the list sends no requests. */
const SELECTION_DELAY_MS = 60;
const PAGE_SIZE = 100;
/** Maximum number of a thread's pages to read while looking for the selected wire. */
const MAX_PAGES = 20;
const MAX_CACHED_THREADS = 50;

export interface ThreadTarget {
  getThread(): Thread | undefined;
  /** Shows a thread. If `wire` is given, selects this wire and scrolls to it. */
  show(thread: Thread | undefined, wire?: string): void;
  fail(error: unknown): void;
}

interface Page {
  readonly placed: readonly Placed[];
  readonly next: string | null;
}

type LoadPage = (shown: readonly Placed[], cursor: string, signal: AbortSignal) => Promise<Page>;

export class ThreadLoader {
  /**
   * Loaded threads by id. A cached thread is shown at once and then loaded again, so it is stale only
   * briefly.
   */
  readonly #cache = new LRUCache<string, Thread>({ max: MAX_CACHED_THREADS });
  #request = new AbortController();
  /** Id of the wire whose thread is shown. */
  #wire: string | undefined;
  #loadPage: LoadPage | undefined;

  constructor(
    private readonly client: Wireroom,
    private readonly target: ThreadTarget,
  ) {}

  stop(): void {
    this.#request.abort();
  }

  /**
   * Shows a list item's thread. If the thread is cached and contains the wire, shows it at once. Loads the
   * thread again after a short delay.
   */
  follow(item: InboxItem | undefined): void {
    const { wire, thread } = threadPlaceOf(item);
    const cached = thread === undefined ? undefined : this.#cache.get(thread);
    this.target.show(cached?.placed.some((each) => each.wire.id === wire) ? cached : undefined, wire);
    this.#start(wire, SELECTION_DELAY_MS, wire);
  }

  /** Loads the thread of `wire` again, and selects the wire `select` in it. */
  reload(wire: string | undefined, select = wire): void {
    if (wire !== undefined) this.#start(wire, 0, select);
  }

  /** Loads the shown thread again if any of these new items belongs to it. */
  reloadFor(items: readonly InboxItem[]): void {
    const thread = this.target.getThread();
    if (!thread || !items.some((item) => threadPlaceOf(item).thread === thread.id)) return;
    this.#start(this.#wire, 0, thread.placed[thread.selected]?.wire.id);
  }

  /** Searches a space for the text `q`, and shows the matching wires. Throws if the search fails. */
  async search(slug: string, q: string): Promise<void> {
    const signal = this.#begin(undefined);
    const read = async (cursor: string | undefined, options: { signal: AbortSignal }) => {
      const page = await this.client.spaces.search(
        { slug, q, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
        options,
      );
      return { placed: page.wires.map((wire) => ({ wire, depth: 0 })), next: page.next_cursor };
    };
    const { placed, next } = await read(undefined, { signal });
    if (signal.aborted) return;
    this.#loadPage = async (shown, cursor, pageSignal) => {
      const page = await read(cursor, { signal: pageSignal });
      return { ...page, placed: [...shown, ...page.placed] };
    };
    const title = `#${slug}: ${q}`;
    this.target.show({ id: title, title, placed, next, selected: 0, top: 0 });
  }

  /** Appends the next page to the shown thread or search, unless the pane shows something else by then. */
  async more(): Promise<void> {
    const thread = this.target.getThread();
    const { signal } = this.#request;
    if (!thread?.next || !this.#loadPage) return;
    try {
      const { placed, next } = await this.#loadPage(thread.placed, thread.next, signal);
      const shown = this.target.getThread();
      if (!signal.aborted && shown?.id === thread.id) this.target.show({ ...shown, placed, next });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Aborts the current request. Returns the abort signal for the next request. */
  #begin(wire: string | undefined): AbortSignal {
    this.#request.abort();
    this.#request = new AbortController();
    this.#wire = wire;
    return this.#request.signal;
  }

  #start(wire: string | undefined, delayMs: number, select: string | undefined): void {
    const signal = this.#begin(wire);
    if (wire !== undefined) void this.#load(wire, select, delayMs, signal);
  }

  async #load(id: string, select: string | undefined, delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(delayMs, signal);
    if (signal.aborted) return;
    try {
      const { wires, next } = await this.#read(id, select, signal);
      if (signal.aborted) return;
      this.#loadPage = async (shown, cursor, pageSignal) => {
        const page = await this.client.threads.get({ id, cursor, limit: PAGE_SIZE }, { signal: pageSignal });
        const all = [...shown.map(({ wire }) => wire), ...page.wires];
        return { placed: threadTree(all), next: page.next_cursor };
      };
      const thread = this.#threadOf(wires, next);
      this.#cache.set(thread.id, thread);
      this.target.show(thread, select);
    } catch (error) {
      if (!signal.aborted) this.target.fail(error);
    }
  }

  /** Reads pages until the wire `select` is found, and at least as many wires as this thread shows now. */
  async #read(
    id: string,
    select: string | undefined,
    signal: AbortSignal,
  ): Promise<{ wires: Wire[]; next: string | null }> {
    const wires: Wire[] = [];
    let next: string | undefined;
    for (let count = 1; ; count++) {
      const page = await this.client.threads.get(
        { id, limit: PAGE_SIZE, ...(next !== undefined && { cursor: next }) },
        { signal, maxRetries: 1 },
      );
      wires.push(...page.wires);
      const shown = this.target.getThread();
      const least = shown?.id === wires[0]?.thread_id ? shown!.placed.length : 0;
      const isFound = select === undefined || wires.some((wire) => wire.id === select) || count >= MAX_PAGES;
      if (page.next_cursor === null || (isFound && wires.length >= least))
        return { wires, next: page.next_cursor };
      next = page.next_cursor;
    }
  }

  #threadOf(wires: readonly Wire[], next: string | null): Thread {
    const id = wires[0]!.thread_id;
    const before = this.target.getThread();
    const top = before?.id === id ? before.top : 0;
    return { id, title: "Thread", placed: threadTree(wires), next, selected: 0, top };
  }
}

/** Returns an item's wire id and that wire's thread id. Returns an empty object for a knock. */
export function threadPlaceOf(item: InboxItem | undefined): { wire?: string; thread?: string } {
  if (item?.kind === "wire") return { wire: item.wire.id, thread: item.wire.thread_id };
  if (item?.kind !== "tombstone_notice") return {};
  return { wire: item.notice.wire_id, thread: item.notice.thread_id };
}

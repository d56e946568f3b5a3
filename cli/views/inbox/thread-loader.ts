/** Loads threads and search results for the thread pane. Each request aborts the previous one. */
import { LRUCache } from "lru-cache";
import type { InboxItem, Wire, Wireroom } from "../../../sdk/src/api.js";
import { now, sleep } from "../../clock.js";
import { type Placed, threadTree } from "../../output/show/thread.js";
import type { Thread } from "./thread.js";

/** Delay before the selected item's thread loads, so that scrolling through the list sends no requests. */
const SELECTION_DELAY_MS = 60;
const PAGE_SIZE = 100;
/** Maximum number of a thread's pages to read while looking for the selected wire. */
const MAX_PAGES = 20;
const MAX_CACHED_THREADS = 50;
/** Shortest delay before a thread with a claim is loaded again. */
const CLAIM_DELAY_MS = 1_000;
const LONGEST_CLAIM_DELAY_MS = 60_000;

export interface ThreadTarget {
  getThread(): Thread | undefined;
  /** Returns the id of the selected wire of the shown thread. */
  getSelected(): string | undefined;
  show(thread: Thread | undefined, wire?: string): void;
  fail(error: unknown): void;
}

interface Source {
  read(
    cursor: string | undefined,
    signal: AbortSignal,
  ): PromiseLike<{ wires: Wire[]; next_cursor: string | null }>;
  place(wires: readonly Wire[]): readonly Placed[];
}

export class ThreadLoader {
  /** Loaded threads by id. A cached thread is shown at once, and then loaded again. */
  readonly #cache = new LRUCache<string, Thread>({ max: MAX_CACHED_THREADS });
  #request = new AbortController();
  #wire: string | undefined;
  #claimDelayMs = CLAIM_DELAY_MS;
  #source: Source | undefined;

  constructor(
    private readonly client: Wireroom,
    private readonly target: ThreadTarget,
  ) {}

  stop(): void {
    this.#request.abort();
  }

  follow(item: InboxItem | undefined): void {
    const { wire, thread } = threadPlaceOf(item);
    const cached = thread === undefined ? undefined : this.#cache.get(thread);
    this.target.show(cached?.placed.some((each) => each.wire.id === wire) ? cached : undefined, wire);
    this.reload(wire, wire, SELECTION_DELAY_MS);
  }

  reload(wire: string | undefined, select = wire, delayMs = 0): void {
    const signal = this.#begin(wire);
    if (wire !== undefined) void this.#load(wire, select, delayMs, signal);
  }

  reloadFor(items: readonly InboxItem[]): void {
    const thread = this.target.getThread();
    if (thread && items.some((item) => threadPlaceOf(item).thread === thread.id)) this.#reloadShown();
  }

  #reloadShown(): void {
    this.reload(this.#wire, this.target.getSelected());
  }

  async search(slug: string, q: string): Promise<void> {
    const signal = this.#begin(undefined);
    const source: Source = {
      read: (cursor, pageSignal) =>
        this.client.spaces.search({ slug, q, limit: PAGE_SIZE, cursor }, { signal: pageSignal }),
      place: (wires) => wires.map((wire) => ({ wire, depth: 0 })),
    };
    const { wires, next_cursor: next } = await source.read(undefined, signal);
    if (signal.aborted) return;
    this.#source = source;
    const title = `#${slug}: ${q}`;
    this.target.show({ id: title, title, placed: source.place(wires), next });
  }

  async more(): Promise<void> {
    const thread = this.target.getThread();
    const source = this.#source;
    const { signal } = this.#request;
    if (!thread?.next || !source) return;
    try {
      const { wires, next_cursor: next } = await source.read(thread.next, signal);
      const placed = source.place([...thread.placed.map(({ wire }) => wire), ...wires]);
      const shown = this.target.getThread();
      if (!signal.aborted && shown?.id === thread.id) this.target.show({ ...shown, placed, next });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #begin(wire: string | undefined): AbortSignal {
    this.#request.abort();
    this.#request = new AbortController();
    this.#wire = wire;
    return this.#request.signal;
  }

  async #load(id: string, select: string | undefined, delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(delayMs, signal);
    if (signal.aborted) return;
    const source: Source = {
      read: (cursor, pageSignal) =>
        this.client.threads.get({ id, limit: PAGE_SIZE, cursor }, { signal: pageSignal, maxRetries: 1 }),
      place: threadTree,
    };
    try {
      const { wires, next } = await this.#readUntil(source, select, signal);
      if (signal.aborted) return;
      this.#source = source;
      const thread = { id: wires[0]!.thread_id, title: "Thread", placed: threadTree(wires), next };
      this.#cache.set(thread.id, thread);
      this.target.show(thread, select);
      await this.#reloadAtEndOfClaim(wires, signal);
    } catch (error) {
      if (!signal.aborted) this.target.fail(error);
    }
  }

  async #reloadAtEndOfClaim(wires: readonly Wire[], signal: AbortSignal): Promise<void> {
    const ends = wires.flatMap(({ claim }) => (claim?.until ? [Date.parse(claim.until)] : []));
    if (ends.length === 0) return;
    const endMs = Math.min(...ends);
    // A claim that is past its end shows that the clocks differ, so wait longer each time.
    const isLate = endMs <= now();
    this.#claimDelayMs = isLate ? Math.min(this.#claimDelayMs * 2, LONGEST_CLAIM_DELAY_MS) : CLAIM_DELAY_MS;
    await sleep(Math.max(this.#claimDelayMs, endMs - now()), signal);
    if (!signal.aborted) this.#reloadShown();
  }

  /**
   * Reads pages until they contain the wire with the id `select` and at least as many wires as are shown now.
   */
  async #readUntil({ read }: Source, select: string | undefined, signal: AbortSignal) {
    const wires: Wire[] = [];
    let cursor: string | undefined;
    for (let count = 1; ; count++) {
      const page = await read(cursor, signal);
      wires.push(...page.wires);
      const shown = this.target.getThread();
      const least = shown?.id === wires[0]?.thread_id ? shown!.placed.length : 0;
      const isFound = select === undefined || wires.some((wire) => wire.id === select) || count >= MAX_PAGES;
      if (page.next_cursor === null || (isFound && wires.length >= least))
        return { wires, next: page.next_cursor };
      cursor = page.next_cursor;
    }
  }
}

export function threadPlaceOf(item: InboxItem | undefined): { wire?: string; thread?: string } {
  if (item?.kind === "wire") return { wire: item.wire.id, thread: item.wire.thread_id };
  if (item?.kind !== "tombstone_notice" && item?.kind !== "space_notice") return {};
  return { wire: item.notice.wire_id, thread: item.notice.thread_id };
}

/**
 * The items of the inbox, and the thread of the selected one. The inbox is read without moving its
 * checkpoint. A read with a cursor would move the checkpoint, so reads send no cursor. While no item is
 * pending, a read is a long poll. Otherwise the service answers at once.
 */
import {
  type InboxItem,
  type InboxReadInput,
  inOrder,
  type Knock,
  type Wire,
  type Wireroom,
} from "../../../sdk/src/api.js";
import { counted, relative } from "../../output/units.js";
import type { DetailOptions, View } from "../list-detail/noun.js";
import type { Line } from "../styled-text/spans.js";
import { type Entry, idOf, merged } from "./items.js";
import { type Thread, threadParts } from "./thread.js";
import { ThreadLoader } from "./thread-loader.js";

const LONG_POLL_SECONDS = 25;
/** Delay between two reads. */
export const INTERVAL_MS = 1_000;
/** Timeout of a read, added to the duration of its long poll. */
const TIMEOUT_MS = 10_000;
/** Maximum number of items per page of the inbox (docs/specification/reading.md). */
const LARGEST_PAGE = 100;
/** Each read requests this many more items than are pending, to leave room for new items. */
const NEW_ITEMS = 20;

export class Inbox {
  /** Oldest first. */
  entries: readonly Entry[] = [];
  /** Ids of the entries that were selected. */
  readonly seen = new Set<string>();
  /** The thread or search result in the detail pane. Undefined for a knock, and while a thread is loading. */
  thread: Thread | undefined;
  /** Whether the inbox has more pending items than one page can contain. */
  hasMorePending = false;
  readonly threads: ThreadLoader;
  /** Set before the first load. */
  view!: View;
  /** The rows of the list. `#page` is the JSON of the items that were last merged into them. */
  #rows: readonly Entry[] = [];
  #page: string | undefined;
  #parts: { of: Thread["placed"]; key: string; parts: Line[][] } | undefined;

  constructor(
    readonly client: Wireroom,
    readonly me: string,
  ) {
    this.threads = new ThreadLoader(client, {
      getThread: () => this.thread,
      getSelected: () => this.thread?.placed[this.view.part]?.wire.id,
      show: (thread, wire) => {
        this.thread = thread;
        const index = thread?.placed.findIndex((each) => each.wire.id === wire);
        this.view.showDetail(wire === undefined ? undefined : Math.max(0, index ?? 0));
      },
      fail: (error) => this.view.shell.fail(error),
    });
  }

  get pending(): readonly Entry[] {
    return this.entries.filter(({ isAcknowledged }) => !isAcknowledged);
  }

  /** Returns the rows of the list. Returns the same array if nothing has changed. */
  async load(signal: AbortSignal, mayWait: boolean): Promise<readonly Entry[]> {
    const { length } = this.pending;
    const limit = Math.min(LARGEST_PAGE, length + NEW_ITEMS);
    let { items } = await this.#read(
      { limit, wait: mayWait && length === 0 ? LONG_POLL_SECONDS : 0 },
      signal,
    );
    if (items.length === limit && limit < LARGEST_PAGE)
      ({ items } = await this.#read({ limit: LARGEST_PAGE }, signal));
    signal.throwIfAborted();
    const page = JSON.stringify(items);
    if (page !== this.#page) this.#merge(items);
    this.#page = page;
    return this.#rows;
  }

  #merge(items: readonly InboxItem[]): void {
    const { shell } = this.view;
    const { length } = this.entries;
    this.hasMorePending = items.length >= LARGEST_PAGE;
    this.#setEntries(merged(this.entries, items));
    const added = this.entries.slice(length);
    if (added.length > 0 && shell.state.isConnected) shell.notify(counted(added.length, "new item"), "good");
    this.threads.reloadFor(added.map(({ item }) => item));
  }

  #setEntries(entries: readonly Entry[]): void {
    this.entries = entries;
    this.#rows = entries.filter(({ isReplaced }) => !isReplaced);
  }

  /** Shows an answered knock, even if the service no longer returns it because it is acknowledged. */
  update(knock: Knock): void {
    const isIt = ({ item }: Entry) => item.kind === "knock" && item.knock.id === knock.id;
    this.#setEntries(
      this.entries.map((entry) => (isIt(entry) ? { ...entry, item: { kind: "knock", knock } } : entry)),
    );
  }

  /**
   * Moves the inbox's checkpoint past these entries, which must be the first pending ones. Returns the
   * acknowledged entries.
   *
   * The checkpoint can move only to the end of a page, so the method reads a page that ends with the last
   * item. The page may contain other items, because the service sorts the inbox by arrival and this view
   * sorts it by time. In that case, the method reads a shorter page.
   */
  async acknowledge(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const ids = new Set(entries.map(({ id }) => id));
    for (let limit = Math.min(ids.size, LARGEST_PAGE); limit > 0; limit--) {
      const { items, next } = await this.#read({ limit });
      if (!items.every((item) => ids.has(idOf(item)))) continue;
      if (items.length > 0) await this.#read({ cursor: next, limit: 1 });
      const read = new Set(items.map(idOf));
      return entries.filter(({ id }) => read.has(id));
    }
    return [];
  }

  async #read(input: InboxReadInput, signal?: AbortSignal): Promise<{ items: InboxItem[]; next: string }> {
    const options = { maxRetries: 0, timeout: TIMEOUT_MS, ...(signal && { signal }) };
    const page = await this.client.inbox.read(input, options);
    return { items: inOrder(page), next: page.next_cursor };
  }

  /** Returns the lines of each wire. Caches the last result, because formatting a long thread is slow. */
  partsOf({ placed }: Thread, options: DetailOptions): Line[][] {
    const times = placed
      .flatMap(({ wire }) => [wire.created_at, wire.claim?.until ?? "", wire.tombstone?.at ?? ""])
      .map((time) => relative(time, options.now));
    const key = JSON.stringify([options.width, times]);
    if (this.#parts?.of !== placed || this.#parts.key !== key)
      this.#parts = { of: placed, key, parts: threadParts(placed, { ...options, me: this.me }) };
    return this.#parts.parts;
  }
}

/** The selected item, on which the inbox's keys act. */
export interface Subject {
  readonly entry: Entry | undefined;
  readonly wire: Wire | undefined;
  readonly knock: Knock | undefined;
  /** The entries that an acknowledgement covers: the selected entry and all pending entries before it. */
  readonly covered: readonly Entry[];
  readonly isInThread: boolean;
}

/** @param part index of the selected wire, if the thread has the focus */
export function subjectOf(inbox: Inbox, entry: Entry | undefined, part: number | undefined): Subject {
  const { thread, entries } = inbox;
  const isInThread = part !== undefined && thread !== undefined;
  // Compare ids, because the list keeps its old entry objects while their content stays the same.
  const index = entries.findIndex(({ id }) => id === entry?.id);
  const covered = entry?.isAcknowledged === false ? entries.slice(0, index + 1) : [];
  return {
    entry,
    wire: isInThread ? thread.placed[part]?.wire : wireOf(entry?.item, thread),
    knock: entry?.item.kind === "knock" && !isInThread ? entry.item.knock : undefined,
    covered: covered.filter(({ isAcknowledged }) => !isAcknowledged),
    isInThread,
  };
}

function wireOf(item: InboxItem | undefined, thread: Thread | undefined): Wire | undefined {
  if (item?.kind === "space_notice")
    return thread?.placed.find(({ wire }) => wire.id === item.notice.wire_id)?.wire;
  return item?.kind === "wire" ? item.wire : undefined;
}

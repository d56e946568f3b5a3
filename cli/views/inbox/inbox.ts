/**
 * The inbox's state: its list, and the thread of the selected item. The feed delivers pending items, and the
 * thread loader follows the selection. `keys.ts` has the keys that change the state.
 */
import type { InboxItem, Knock, Wire, Wireroom } from "../../../sdk/src/index.js";
import { now } from "../../clock.js";
import type { Form } from "../frame/form.js";
import { Store } from "../frame/hooks.js";
import { BORDER, moved, type TwoPanes, twoPanes } from "../frame/pane.js";
import type { Shell } from "../frame/shell.js";
import type { TextBuffer } from "../frame/text-buffer.js";
import type { Key } from "../terminal/keyboard.js";
import type { Size } from "../terminal/terminal.js";
import { Feed, LARGEST_PAGE } from "./feed.js";
import { type Entry, matching, merged } from "./items.js";
import { broughtIntoView, scrolled, type Thread, threadContent } from "./thread.js";
import { ThreadLoader, threadPlaceOf } from "./thread-loader.js";

export interface InboxState {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** Undefined while the list is empty. */
  readonly selected: string | undefined;
  /** Undefined without a filter. */
  readonly filter: TextBuffer | undefined;
  readonly isFiltering: boolean;
  readonly focus: "list" | "thread";
  /** The thread or search result in the thread pane. Undefined for a knock, and while a thread is loading. */
  readonly thread: Thread | undefined;
  /** Whether the inbox has more pending items than one page can contain. */
  readonly hasMorePending: boolean;
}

export const EMPTY_INBOX: InboxState = {
  entries: [],
  selected: undefined,
  filter: undefined,
  isFiltering: false,
  focus: "list",
  thread: undefined,
  hasMorePending: false,
};

export class Inbox {
  readonly store = new Store<InboxState>(EMPTY_INBOX);
  readonly set = this.store.set;
  readonly feed: Feed;
  readonly threads: ThreadLoader;
  /** The first visible row of the list. */
  readonly position = { first: 0 };
  /** Forms that the user closed without sending, by purpose: `wire`, `search` or `reply <wire id>`. */
  readonly drafts = new Map<string, Form>();
  /**
   * The last attempt to send a wire, by form purpose. If it failed, a retry uses the same idempotency key,
   * because the wire may have been sent.
   */
  readonly attempts = new Map<string, { content: string; idempotencyKey: string }>();

  constructor(
    readonly client: Wireroom,
    readonly shell: Shell,
    readonly me: string,
  ) {
    this.threads = new ThreadLoader(client, {
      getThread: () => this.state.thread,
      show: (thread, wire) => this.set({ thread: thread && this.#withSelected(thread, wire) }),
      fail: (error) => shell.fail(error),
    });
    this.feed = new Feed(client, {
      pending: (items, hasChanged) => this.#read(items, hasChanged),
      unreachable: () => shell.disconnected(),
      ended: (error) => shell.leave(error as Error),
    });
  }

  /** Reads the inbox until `stop` is called. */
  run(): void {
    void this.feed.run();
  }

  stop(): void {
    this.feed.stop();
    this.threads.stop();
  }

  get state(): InboxState {
    return this.store.getState();
  }

  select(id: string | undefined): void {
    const entries = this.state.entries.map((entry) => (entry.id === id ? { ...entry, isNew: false } : entry));
    this.set({ entries, selected: id });
    this.threads.follow(selectedItem(this.state));
  }

  /** If the selected row is no longer in the list, selects the first pending row, or else the first row. */
  keepSelection(): void {
    const shown = shownEntries(this.state);
    if (shown.some(({ id }) => id === this.state.selected)) return;
    this.select((shown.find(({ isAcknowledged }) => !isAcknowledged) ?? shown[0])?.id);
  }

  moveInList({ name }: Key): void {
    const shown = shownEntries(this.state);
    const index = shown.findIndex(({ id }) => id === this.state.selected);
    const { rows } = layoutOf(this.shell.getSize());
    const target = shown[moved(index, name, shown.length, this.state.filter ? rows - 2 : rows)];
    if (target) this.select(target.id);
  }

  scrollThread({ name }: Key): void {
    const { thread } = this.state;
    if (!thread) return;
    const { threadText: width, rows } = layoutOf(this.shell.getSize());
    const content = threadContent(thread.placed, { me: this.me, width, now: now() });
    this.set({ thread: { ...thread, ...scrolled(thread, name, content, rows) } });
  }

  reloadThread(): void {
    this.threads.reload(selectedWire(this.state)?.id ?? threadPlaceOf(selectedItem(this.state)).wire);
  }

  #read(items: readonly InboxItem[], hasChanged: boolean): void {
    const { shell } = this;
    const wasUnreachable = shell.state.unreachableSince !== undefined;
    if (hasChanged) {
      const { length } = this.state.entries;
      this.set({ entries: merged(this.state.entries, items), hasMorePending: items.length >= LARGEST_PAGE });
      this.keepSelection();
      const added = this.state.entries.slice(length);
      if (added.length > 0 && shell.state.isConnected)
        shell.notify(added.length === 1 ? "1 new item" : `${added.length} new items`, "good");
      this.threads.reloadFor(added.map(({ item }) => item));
    }
    shell.connected();
    if (wasUnreachable) this.reloadThread();
  }

  #withSelected(thread: Thread, wire: string | undefined): Thread {
    if (wire === undefined) return thread;
    const { threadText: width, rows } = layoutOf(this.shell.getSize());
    const index = thread.placed.findIndex((each) => each.wire.id === wire);
    const extent = threadContent(thread.placed, { me: this.me, width, now: now() });
    const place = { selected: Math.max(0, index), top: thread.top };
    return { ...thread, ...broughtIntoView(place, extent, rows) };
  }
}

export function shownEntries({ entries, filter }: InboxState): readonly Entry[] {
  const shown = entries.filter(({ isReplaced }) => !isReplaced);
  return filter ? matching(shown, filter.value) : shown;
}

export function selectedEntry({ entries, selected }: InboxState): Entry | undefined {
  return entries.find(({ id }) => id === selected);
}

export function selectedItem(state: InboxState): InboxItem | undefined {
  return selectedEntry(state)?.item;
}

export function selectedWire(state: InboxState): Wire | undefined {
  const { thread, focus } = state;
  if (focus === "thread" && thread) return thread.placed[thread.selected]?.wire;
  const item = selectedItem(state);
  if (item?.kind === "space_notice")
    return thread?.placed.find(({ wire }) => wire.id === item.notice.wire_id)?.wire;
  return item?.kind === "wire" ? item.wire : undefined;
}

export function selectedKnock(state: InboxState): Knock | undefined {
  const item = state.focus === "list" ? selectedItem(state) : undefined;
  return item?.kind === "knock" ? item.knock : undefined;
}

export interface Layout extends TwoPanes {
  readonly rows: number;
  readonly threadText: number;
}

export function layoutOf(size: Size): Layout {
  const panes = twoPanes(size, Math.min(90, Math.floor(size.columns * 0.45)));
  return { ...panes, rows: panes.height - BORDER.rows, threadText: panes.right - BORDER.columns };
}

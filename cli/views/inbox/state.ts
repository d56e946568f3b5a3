/** What the inbox's view shows. */
import type { Knock, TombstoneNotice, Wire } from "../../../sdk/src/index.js";
import { type CommonState, commonState, type Size } from "../kit/controller.js";
import type { TextBuffer } from "../kit/text-buffer.js";
import { type Entry, matching } from "./items.js";
import type { Thread } from "./thread.js";

export interface InboxState extends CommonState {
  /** Slug of the handle that acts. */
  readonly me: string;
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** Name of the entry that commands are about; undefined while there is none. */
  readonly selected: string | undefined;
  /** First row of the list that is on the screen. */
  readonly first: number;
  /** Words that the list is narrowed to. */
  readonly filter: TextBuffer | undefined;
  /** Whether the filter takes the keys. */
  readonly isFiltering: boolean;
  readonly focus: "list" | "thread";
  /** The right-hand pane; undefined for what is no wire, or not there yet. */
  readonly thread: Thread | undefined;
  /** Whether the service holds back more than it gives at once. */
  readonly isFull: boolean;
}

export function initialState(size: Size, me: string): InboxState {
  return {
    ...commonState(size),
    me,
    entries: [],
    selected: undefined,
    first: 0,
    filter: undefined,
    isFiltering: false,
    focus: "list",
    thread: undefined,
    isFull: false,
  };
}

/** The list as it is narrowed. */
export function shownEntries({ entries, filter }: InboxState): readonly Entry[] {
  return filter ? matching(entries, filter.value) : entries;
}

export function selectedEntry({ entries, selected }: InboxState): Entry | undefined {
  return entries.find(({ name }) => name === selected);
}

/** The wire that a reply goes to: of the pane with the focus. */
export function selectedWire(state: InboxState): Wire | undefined {
  const { thread, focus } = state;
  const item = selectedEntry(state)?.item;
  if (focus === "thread" && thread) return thread.placed[thread.selected]?.wire;
  return item?.kind === "wire" ? item.wire : undefined;
}

export function selectedKnock(state: InboxState): Knock | undefined {
  const item = selectedEntry(state)?.item;
  return item?.kind === "knock" ? item.knock : undefined;
}

export function selectedNotice(state: InboxState): TombstoneNotice | undefined {
  const item = selectedEntry(state)?.item;
  return item?.kind === "tombstone_notice" ? item.notice : undefined;
}

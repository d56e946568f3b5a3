/** The inbox view's state, and functions that derive values from it. */
import type { Knock, TombstoneNotice, Wire } from "../../../sdk/src/index.js";
import { windowStart } from "../frame/list-window.js";
import type { TextBuffer } from "../frame/text-buffer.js";
import { type Entry, matching } from "./items.js";
import type { Thread } from "./thread.js";

export type Focus = "list" | "thread";

export interface InboxState {
  /** Slug of the handle whose inbox is shown. */
  readonly me: string;
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** Id of the selected entry. Undefined while the list is empty. */
  readonly selected: string | undefined;
  /** Index of the first visible row. */
  readonly first: number;
  /** Text that filters the list. Undefined without a filter. */
  readonly filter: TextBuffer | undefined;
  /** Whether the filter is focused, so that keys edit its text. */
  readonly isFiltering: boolean;
  readonly focus: Focus;
  /** The thread or search result in the thread pane. Undefined for a knock, and while a thread is loading. */
  readonly thread: Thread | undefined;
  /** Whether the inbox has more pending items than one page can contain. */
  readonly hasMorePending: boolean;
}

export function initialState(me: string): InboxState {
  return {
    me,
    entries: [],
    selected: undefined,
    first: 0,
    filter: undefined,
    isFiltering: false,
    focus: "list",
    thread: undefined,
    hasMorePending: false,
  };
}

/**
 * Returns the state with another entry selected.
 * @param rows the list's height in rows
 */
export function withSelected(state: InboxState, id: string | undefined, rows: number): InboxState {
  const entries = state.entries.map((entry) => (entry.id === id ? { ...entry, isNew: false } : entry));
  const next = { ...state, entries, selected: id };
  const shown = shownEntries(next);
  const index = Math.max(
    0,
    shown.findIndex((entry) => entry.id === id),
  );
  return { ...next, first: windowStart(index, shown.length, rows, state.first) };
}

/** Returns the entries that match the filter. Omits a removed wire if its removal notice is in the list. */
export function shownEntries({ entries, filter }: InboxState): readonly Entry[] {
  const shown = entries.some(({ isReplaced }) => isReplaced)
    ? entries.filter(({ isReplaced }) => !isReplaced)
    : entries;
  return filter ? matching(shown, filter.value) : shown;
}

export function selectedEntry({ entries, selected }: InboxState): Entry | undefined {
  return entries.find(({ id }) => id === selected);
}

/** Returns the focused pane's selected wire. Returns undefined if the pane has no selected wire. */
export function selectedWire(state: InboxState): Wire | undefined {
  const { thread, focus } = state;
  if (focus === "thread" && thread) return thread.placed[thread.selected]?.wire;
  const item = selectedEntry(state)?.item;
  return item?.kind === "wire" ? item.wire : undefined;
}

/** Returns the selected knock if it is still pending. */
export function pendingKnock(state: InboxState): Knock | undefined {
  const item = selectedEntry(state)?.item;
  return item?.kind === "knock" && item.knock.status === "pending" ? item.knock : undefined;
}

export function selectedNotice(state: InboxState): TombstoneNotice | undefined {
  const item = selectedEntry(state)?.item;
  return item?.kind === "tombstone_notice" ? item.notice : undefined;
}

/** Returns the entries that `acknowledge` covers: the selected entry and all pending entries before it. */
export function coveredEntries(state: InboxState): readonly Entry[] {
  const { entries } = state;
  const entry = selectedEntry(state);
  if (!entry || entry.isAcknowledged) return [];
  return entries.slice(0, entries.indexOf(entry) + 1).filter(({ isAcknowledged }) => !isAcknowledged);
}

/** Counts the list rows of these entries. A removed wire and its removal notice share a row. */
export function countRows(entries: readonly Entry[]): number {
  return entries.filter(({ isReplaced }) => !isReplaced).length;
}

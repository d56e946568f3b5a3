/** Entries of the inbox list: the items that this view has read, oldest first. */
import type { InboxItem, Knock } from "../../../sdk/src/index.js";
import { oneLine } from "../../output/safe.js";
import { REMOVERS } from "../../output/show/wire.js";
import { described } from "../../output/text.js";

export interface Entry {
  /** Identifies the item in the list. */
  readonly id: string;
  readonly item: InboxItem;
  /** True until the entry is selected for the first time. */
  readonly isNew: boolean;
  /** Whether the item is acknowledged: the inbox's checkpoint has moved past it. */
  readonly isAcknowledged: boolean;
  /** True for a removed wire whose removal notice is in the list too. The list shows only the notice. */
  readonly isReplaced: boolean;
  /** The removed wire's sender. Set only on a removal notice whose wire is in the list. */
  readonly removedSender?: string;
}

export function idOf(item: InboxItem): string {
  if (item.kind === "wire") return `wire ${item.wire.id}`;
  return item.kind === "knock" ? `knock ${item.knock.id}` : `notice ${item.notice.wire_id}`;
}

/** Returns the time at which an item arrived, in RFC 3339 format. */
export function timeOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.created_at;
  return item.kind === "knock" ? item.knock.created_at : item.notice.removed_at;
}

/** Returns the sender's slug. Returns undefined for a removal notice whose wire is not in the list. */
export function senderOf({ item, removedSender }: Pick<Entry, "item" | "removedSender">): string | undefined {
  if (item.kind === "wire") return item.wire.sender;
  return item.kind === "knock" ? item.knock.from : removedSender;
}

export function summaryOf({ item, removedSender }: Pick<Entry, "item" | "removedSender">): string {
  if (item.kind === "knock") return oneLine(item.knock.intro);
  if (item.kind === "tombstone_notice")
    return `${removedSender === undefined ? "a wire was " : ""}removed by ${described(REMOVERS, item.notice.removed_by)}`;
  const { text_body, payload, tombstone } = item.wire;
  if (tombstone) return `removed by ${described(REMOVERS, tombstone.removed_by)}`;
  return text_body === null ? oneLine(JSON.stringify(payload)) : oneLine(text_body);
}

/**
 * Returns the list after a read of the pending items: new items are appended, known items are updated. An
 * item that the read did not return is marked as acknowledged, because this view or another client has
 * acknowledged it.
 */
export function merged(entries: readonly Entry[], pending: readonly InboxItem[]): Entry[] {
  const unseen = new Map(pending.map((item) => [idOf(item), item]));
  const known = entries.map((entry): Entry => {
    const item = unseen.get(entry.id);
    unseen.delete(entry.id);
    return item ? { ...entry, item, isAcknowledged: false } : { ...entry, isAcknowledged: true };
  });
  const added = [...unseen].map(
    ([id, item]): Entry => ({ id, item, isNew: true, isAcknowledged: false, isReplaced: false }),
  );
  return withNotices([...known, ...added]);
}

/** Marks each wire whose removal notice is in the list, so that the list shows one row for both. */
function withNotices(entries: readonly Entry[]): Entry[] {
  const noticed = new Set(
    entries.flatMap(({ item }) => (item.kind === "tombstone_notice" ? [item.notice.wire_id] : [])),
  );
  if (noticed.size === 0) return [...entries];
  const senders = new Map(
    entries.flatMap(({ item }) => (item.kind === "wire" ? [[item.wire.id, item.wire.sender] as const] : [])),
  );
  return entries.map((entry) => {
    const { item } = entry;
    if (item.kind === "wire") return { ...entry, isReplaced: noticed.has(item.wire.id) };
    const removedSender = item.kind === "tombstone_notice" ? senders.get(item.notice.wire_id) : undefined;
    return removedSender === undefined ? entry : { ...entry, removedSender };
  });
}

/** Returns the entry with the updated knock. Returns an entry for any other item unchanged. */
export function withKnock(entry: Entry, knock: Knock): Entry {
  const { item } = entry;
  return item.kind === "knock" && item.knock.id === knock.id ? { ...entry, item: { ...item, knock } } : entry;
}

/** Returns the entries whose sender and summary together contain all of these words. */
export function matching(entries: readonly Entry[], words: string): readonly Entry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return entries;
  return entries.filter((entry) => {
    const text = `@${senderOf(entry) ?? ""} ${summaryOf(entry)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

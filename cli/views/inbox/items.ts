/** Entries of the inbox list: the items that this view has read, oldest first. */
import type { InboxItem } from "../../../sdk/src/api.js";
import { decisionText, itemFacts, reasonText } from "../../output/show/inbox.js";
import { REMOVERS } from "../../output/show/wire.js";
import { described } from "../../output/text.js";

export interface Entry {
  /** Identifies the item in the list. */
  readonly id: string;
  readonly item: InboxItem;
  /** Whether the item is acknowledged, which means that the inbox's checkpoint has moved past it. */
  readonly isAcknowledged: boolean;
  /** True for a removed wire whose removal notice is in the list too. The list shows only the notice. */
  readonly isReplaced: boolean;
  /** The removed wire's sender. Set only on a removal notice whose wire is in the list. */
  readonly removedSender?: string;
}

export function idOf(item: InboxItem): string {
  return `${item.kind} ${itemFacts(item).id}`;
}

export function senderOf({ item, removedSender }: Entry): string | undefined {
  return itemFacts(item).from ?? removedSender;
}

export function summaryOf({ item, removedSender }: Pick<Entry, "item" | "removedSender">): string {
  if (item.kind === "knock") return item.knock.intro;
  if (item.kind === "approval_notice") return decisionText(item.notice);
  if (item.kind === "space_notice") return reasonText(item.notice);
  if (item.kind === "tombstone_notice")
    return `${removedSender === undefined ? "a wire was " : ""}removed by ${described(REMOVERS, item.notice.removed_by)}`;
  const { text_body, payload, tombstone } = item.wire;
  if (tombstone) return `removed by ${described(REMOVERS, tombstone.removed_by)}`;
  return text_body ?? JSON.stringify(payload);
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
    ([id, item]): Entry => ({ id, item, isAcknowledged: false, isReplaced: false }),
  );
  return withNotices([...known, ...added]);
}

function withNotices(entries: readonly Entry[]): Entry[] {
  const noticed = new Set(
    entries.flatMap(({ item }) => (item.kind === "tombstone_notice" ? [item.notice.wire_id] : [])),
  );
  const senders = new Map(
    entries.flatMap(({ item }) => (item.kind === "wire" ? [[item.wire.id, `@${item.wire.sender}`]] : [])),
  );
  return entries.map((entry) => {
    const { item } = entry;
    if (item.kind === "wire") return { ...entry, isReplaced: noticed.has(item.wire.id) };
    const removedSender = item.kind === "tombstone_notice" ? senders.get(item.notice.wire_id) : undefined;
    return removedSender === undefined ? entry : { ...entry, removedSender };
  });
}

/** Counts the list rows of these entries. A removed wire and its removal notice share a row. */
export function countRows(entries: readonly Entry[]): number {
  return entries.filter(({ isReplaced }) => !isReplaced).length;
}

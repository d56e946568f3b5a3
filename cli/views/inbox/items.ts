/** What the list holds: the items of the inbox that this view has seen, oldest first. */
import type { InboxItem } from "../../../sdk/src/index.js";
import { oneLine } from "../../output/safe.js";
import { REMOVERS } from "../../output/show/wire.js";

export interface Entry {
  /** Every item stands in an inbox once. */
  readonly name: string;
  readonly item: InboxItem;
  /** It has not been looked at yet. */
  readonly isNew: boolean;
  /** The checkpoint stands behind it. */
  readonly isDealtWith: boolean;
}

export function nameOf(item: InboxItem): string {
  if (item.kind === "wire") return `wire ${item.wire.id}`;
  return item.kind === "knock" ? `knock ${item.knock.id}` : `notice ${item.notice.wire_id}`;
}

/** When it came. */
export function timeOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.created_at;
  return item.kind === "knock" ? item.knock.created_at : item.notice.removed_at;
}

/** Slug of who it is from; undefined for a notice, which does not say. */
export function senderOf(item: InboxItem): string | undefined {
  if (item.kind === "wire") return item.wire.sender;
  return item.kind === "knock" ? item.knock.from : undefined;
}

/** What it says, on one line. */
export function gistOf(item: InboxItem): string {
  if (item.kind === "knock") return oneLine(item.knock.intro);
  if (item.kind === "tombstone_notice") return `a wire was removed by ${REMOVERS[item.notice.removed_by]}`;
  const { text_body, payload, tombstone } = item.wire;
  if (tombstone) return `removed by ${REMOVERS[tombstone.removed_by]}`;
  return text_body === null ? oneLine(JSON.stringify(payload)) : oneLine(text_body);
}

/**
 * The list after a reading from the checkpoint: what is new comes last, what is known is brought up to date, and what
 * the reading did not hold any more has been dealt with, here or by another reader.
 */
export function merged(entries: readonly Entry[], pending: readonly InboxItem[]): Entry[] {
  const fresh = new Map(pending.map((item) => [nameOf(item), item]));
  const kept = entries.map((entry): Entry => {
    const item = fresh.get(entry.name);
    fresh.delete(entry.name);
    return item ? { ...entry, item, isDealtWith: false } : { ...entry, isDealtWith: true };
  });
  const added = [...fresh].map(([name, item]): Entry => ({ name, item, isNew: true, isDealtWith: false }));
  return [...kept, ...added];
}

/** Entries that hold every one of these words, in what they say or in the name of whom they are from. */
export function matching(entries: readonly Entry[], words: string): readonly Entry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return entries;
  return entries.filter(({ item }) => {
    const text = `@${senderOf(item) ?? ""} ${gistOf(item)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

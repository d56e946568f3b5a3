/** The items of an inbox, in one order. */
import type { InboxReadOutput } from "../../generated/inbox.js";
import type { Knock, TombstoneNotice, Wire } from "../../generated/shapes.js";

/** One item of the inbox, told apart by `kind`. */
export type InboxItem<Payload = unknown> =
  | {
      kind: "wire";
      /** A new DM wire. */
      wire: Wire<Payload>;
    }
  | {
      kind: "knock";
      /** A new knock. */
      knock: Knock;
    }
  | {
      kind: "tombstone_notice";
      /** What is known of a wire that was removed. */
      notice: TombstoneNotice;
    };

/**
 * The items of a page of the inbox by their times. What is of one kind keeps the order of the inbox's log; at one and the same
 * moment a knock comes before a wire, and a wire before the notice of a removal.
 */
export function inOrder<Payload>(page: InboxReadOutput<Payload>): InboxItem<Payload>[] {
  const queues: InboxItem<Payload>[][] = [
    page.knocks.map((knock) => ({ kind: "knock", knock })),
    page.wires.map((wire) => ({ kind: "wire", wire })),
    page.tombstone_notices.map((notice) => ({ kind: "tombstone_notice", notice })),
  ];
  const ordered: InboxItem<Payload>[] = [];
  for (;;) {
    const waiting = queues.filter((queue) => queue.length > 0);
    if (waiting.length === 0) return ordered;
    const next = waiting.reduce((first, other) => (timeOf(other[0]!) < timeOf(first[0]!) ? other : first));
    ordered.push(next.shift()!);
  }
}

/** Identifies an item: it is in an inbox once. */
export function idOf(item: InboxItem): string {
  if (item.kind === "wire") return `wire ${item.wire.id}`;
  return item.kind === "knock" ? `knock ${item.knock.id}` : `notice ${item.notice.wire_id}`;
}

/** The service writes all times in one format, so they compare as text. */
function timeOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.created_at;
  return item.kind === "knock" ? item.knock.created_at : item.notice.removed_at;
}

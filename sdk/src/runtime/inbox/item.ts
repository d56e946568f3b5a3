/** Inbox items, and their delivery order. */
import type { InboxReadOutput } from "../../generated/inbox.js";
import type { ApprovalNotice, Knock, SpaceNotice, TombstoneNotice, Wire } from "../../generated/shapes.js";
import type { ReceivedWire } from "../wires/received.js";

/** An inbox item. A check of `kind` narrows the types of the other properties, even after destructuring. */
export type InboxItem<Payload = unknown, W extends Wire<Payload> = Wire<Payload>> =
  | {
      kind: "wire";
      /** A new DM. */
      wire: W;
      knock?: undefined;
      notice?: undefined;
    }
  | {
      kind: "knock";
      wire?: undefined;
      /** A new knock. */
      knock: Knock;
      notice?: undefined;
    }
  | {
      kind: "tombstone_notice";
      wire?: undefined;
      knock?: undefined;
      /** A notice that a wire was removed. */
      notice: TombstoneNotice;
    }
  | {
      kind: "approval_notice";
      wire?: undefined;
      knock?: undefined;
      /** The human's decision on a wire or knock of this handle that was held. */
      notice: ApprovalNotice;
    }
  | {
      kind: "space_notice";
      wire?: undefined;
      knock?: undefined;
      /** A wire in a space mentions this handle, or replies to one of its wires there. */
      notice: SpaceNotice;
    };

/** An item from `inbox.listen` or `inbox.work`. Wires in such items have the method `reply`. */
export type ReceivedItem<Payload = unknown> = InboxItem<Payload, ReceivedWire<Payload>>;

/** The lists of items on an inbox page. */
export type InboxItems<Payload = unknown> = Omit<InboxReadOutput<Payload>, "next_cursor">;

/**
 * Returns an inbox page's items, sorted by time. Items of the same kind keep their order. Among items with
 * the same time, knocks come first, then wires, then notices.
 */
export function inOrder<Payload>(page: InboxItems<Payload>): InboxItem<Payload>[] {
  const queues: InboxItem<Payload>[][] = [
    page.knocks.map((knock) => ({ kind: "knock", knock })),
    page.wires.map((wire) => ({ kind: "wire", wire })),
    page.tombstone_notices.map((notice) => ({ kind: "tombstone_notice", notice })),
    page.approval_notices.map((notice) => ({ kind: "approval_notice", notice })),
    page.space_notices.map((notice) => ({ kind: "space_notice", notice })),
  ];
  const ordered: InboxItem<Payload>[] = [];
  for (;;) {
    const nonEmpty = queues.filter((queue) => queue.length > 0);
    if (nonEmpty.length === 0) return ordered;
    const next = nonEmpty.reduce((first, other) => (timeOf(other[0]!) < timeOf(first[0]!) ? other : first));
    ordered.push(next.shift()!);
  }
}

export function itemKey(item: InboxItem): string {
  switch (item.kind) {
    case "wire":
      return `wire ${item.wire.id}`;
    case "knock":
      return `knock ${item.knock.id}`;
    case "tombstone_notice":
      return `notice ${item.notice.wire_id}`;
    case "approval_notice":
      return `approval ${item.notice.approval_id}`;
    case "space_notice":
      return `space ${item.notice.wire_id}`;
  }
}

/** All knocks from one sender count as one thread. */
export function threadOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.thread_id;
  if (item.kind === "knock") return `knock ${item.knock.from_handle_id}`;
  return item.kind === "approval_notice" ? itemKey(item) : item.notice.thread_id;
}

/** All times have the same format, so they can be compared as strings. */
function timeOf(item: InboxItem): string {
  switch (item.kind) {
    case "wire":
      return item.wire.created_at;
    case "knock":
      return item.knock.created_at;
    case "tombstone_notice":
      return item.notice.removed_at;
    case "approval_notice":
      return item.notice.decided_at;
    case "space_notice":
      return item.notice.created_at;
  }
}

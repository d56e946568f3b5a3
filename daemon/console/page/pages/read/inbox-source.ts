/** Reads a handle's inbox, newest first, and groups its items by conversation. */
import { type HandlesInboxOutput, type InboxItem, inOrder } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import type { ListPage, Source } from "../../parts/use-live.js";

const PAGE_SIZE = 100;
/** Maximum number of pages that are read at once to find an older conversation. */
const MOST_PAGES = 10;

/** The items that belong to one thread. A knock and a decision on an approval stand alone. */
export interface Conversation {
  key: string;
  /** Newest first. */
  items: readonly InboxItem[];
}

export function inboxOf(slug: string): Source<InboxItem> {
  const read = async (
    shown: readonly InboxItem[],
    cursor?: string,
    signal?: AbortSignal,
  ): Promise<ListPage<InboxItem>> => {
    const keys = new Set(shown.map(conversationOf));
    const items: InboxItem[] = [];
    let next = cursor ?? null;
    let isFound = false;
    for (let n = 0; n < MOST_PAGES && !isFound && (n === 0 || next !== null); n++) {
      const input = { slug, order: "newest", cursor: next ?? undefined, limit: PAGE_SIZE } as const;
      const page = await dashboard.handles.inbox(input, { signal });
      items.push(...newestFirst(page));
      next = page.next_cursor;
      isFound = items.some((item) => !keys.has(conversationOf(item)));
    }
    return {
      items,
      next_cursor: next,
      next: async (all) => (next === null ? undefined : read(all, next)),
    };
  };
  return {
    list: (signal) => read([], undefined, signal),
    async after({ cursor, wait }, signal) {
      const page = await dashboard.handles.inbox({ slug, cursor, wait, limit: PAGE_SIZE }, { signal });
      return { items: inOrder(page), next_cursor: page.next_cursor };
    },
    keyOf,
    growsAt: "start",
  };
}

/** @param items newest first @returns the conversation with the newest item first */
export function conversationsOf(items: readonly InboxItem[]): Conversation[] {
  return Array.from(Map.groupBy(items, conversationOf), ([key, group]) => ({ key, items: group }));
}

function conversationOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.thread_id;
  if (item.kind === "knock" || item.kind === "approval_notice") return keyOf(item);
  return item.notice.thread_id;
}

function newestFirst({ next_cursor: _, ...page }: HandlesInboxOutput): InboxItem[] {
  for (const items of Object.values(page)) items.reverse();
  return inOrder(page).reverse();
}

/** Returns an inbox item's unique key. */
export function keyOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.id;
  if (item.kind === "knock") return item.knock.id;
  if (item.kind === "approval_notice") return item.notice.approval_id;
  return `${item.kind} ${item.notice.wire_id}`;
}

export function timeOf({ wire, knock, notice }: InboxItem): string {
  if (wire ?? knock) return (wire ?? knock)!.created_at;
  if ("decided_at" in notice!) return notice.decided_at;
  return "removed_at" in notice! ? notice.removed_at : notice!.created_at;
}

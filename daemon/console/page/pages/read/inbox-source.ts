import { type HandlesInboxOutput, type InboxItem, inOrder } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import type { ListPage } from "../../parts/load.js";
import type { Source } from "../../parts/wire/use-live.js";

const PAGE_SIZE = 100;

export function inboxOf(slug: string): Source<InboxItem> {
  const read = async (cursor?: string, signal?: AbortSignal): Promise<ListPage<InboxItem>> => {
    const input = { slug, order: "newest", cursor, limit: PAGE_SIZE } as const;
    const page = await dashboard.handles.inbox(input, { signal });
    const { next_cursor } = page;
    return {
      items: newestFirst(page),
      next_cursor,
      next: async () => (next_cursor === null ? undefined : read(next_cursor)),
    };
  };
  return {
    list: (signal) => read(undefined, signal),
    async after({ cursor, wait }, signal) {
      const page = await dashboard.handles.inbox({ slug, cursor, wait, limit: PAGE_SIZE }, { signal });
      return { items: inOrder(page), next_cursor: page.next_cursor };
    },
    keyOf,
    amended: withoutRemoved,
    growsAt: "start",
  };
}

function newestFirst({ next_cursor: _, ...page }: HandlesInboxOutput): InboxItem[] {
  for (const items of Object.values(page)) items.reverse();
  return inOrder(page).reverse();
}

/**
 * Clears the content of a wire whose removal notice has arrived, because the daemon has deleted that content.
 */
function withoutRemoved(item: InboxItem, arrived: readonly InboxItem[]): InboxItem {
  if (item.kind !== "wire") return item;
  for (const each of arrived) {
    if (each.kind !== "tombstone_notice" || each.notice.wire_id !== item.wire.id) continue;
    const { removed_by, removed_at } = each.notice;
    const tombstone = { removed_by, at: removed_at };
    return { kind: "wire", wire: { ...item.wire, text_body: null, payload: null, tombstone } };
  }
  return item;
}

/** Returns an inbox item's unique key. */
export function keyOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.id;
  if (item.kind === "knock") return item.knock.id;
  if (item.kind === "approval_notice") return item.notice.approval_id;
  return `${item.kind} ${item.notice.wire_id}`;
}

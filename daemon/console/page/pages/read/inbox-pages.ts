/**
 * The inbox of a handle, newest items first. The service returns it from the oldest item on, so the positions of its pages are looked up
 * first, without contents. The pages are then read from the last one backwards.
 */
import { type InboxItem, inOrder } from "@wireroom/sdk";
import { useEffect, useRef, useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { type Loaded, useLoad } from "../../parts/load.js";

const PAGE_SIZE = 100;
/** The view looks for new items this often, while it is in front. */
const POLL_MS = 15_000;

interface Position {
  cursor: string | undefined;
  count: number;
}

export interface Inbox {
  /** Newest first. */
  items: readonly InboxItem[];
  /** How many of the items came after the inbox was first read. */
  freshCount: number;
  /** Pages that were not read yet, oldest first. */
  rest: readonly Position[];
  /** The cursor after the newest item. */
  end: string | undefined;
}

export interface LoadedInbox extends Loaded<Inbox> {
  /** How many items were found so far, until the newest one is. */
  found: number;
  more: (() => Promise<void>) | undefined;
}

export function useInbox(slug: string): LoadedInbox {
  const [found, setFound] = useState(0);
  const loaded = useLoad<Inbox>(slug, async (signal) => {
    const { positions, end } = await positionsOf(slug, signal, setFound);
    // The last page may have few items.
    const [rest, last] = [positions.slice(0, -2), positions.slice(-2)];
    const pages = await Promise.all(last.map((position) => readPage(slug, position, signal)));
    return { items: pages.flat().reverse(), freshCount: 0, rest, end };
  });
  const { data, set } = loaded;
  const current = useRef(data);
  current.current = data;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is a new function at each call, and any of them does
  useEffect(() => {
    const poll = async () => {
      const before = current.current;
      if (!before || document.visibilityState === "hidden") return;
      const page = await read(slug, { cursor: before.end, count: PAGE_SIZE });
      // The inbox may have been read again meanwhile.
      if (page.items.length === 0 || current.current !== before) return;
      const items = [...page.items.reverse(), ...before.items];
      set({ ...before, items, freshCount: before.freshCount + page.items.length, end: page.end });
    };
    // A failure is no reason to interrupt the human: the next poll tries again.
    const timer = setInterval(() => poll().catch(() => undefined), POLL_MS);
    return () => clearInterval(timer);
  }, [slug]);

  const next = data?.rest.at(-1);
  const more =
    data && next
      ? async () => {
          const known = new Set(data.items.map(keyOf));
          const page = await readPage(slug, next);
          // If items were deleted meanwhile, the page reaches into the one after it.
          const items = page.filter((item) => !known.has(keyOf(item))).reverse();
          set({ ...data, items: [...data.items, ...items], rest: data.rest.slice(0, -1) });
        }
      : undefined;
  return { ...loaded, found, more };
}

/** Returns a text that identifies an item of an inbox. */
export function keyOf(item: InboxItem): string {
  if (item.kind === "wire") return item.wire.id;
  return item.kind === "knock" ? item.knock.id : `removed ${item.notice.wire_id}`;
}

async function positionsOf(
  slug: string,
  signal: AbortSignal,
  onFound: (count: number) => void,
): Promise<{ positions: Position[]; end: string | undefined }> {
  const positions: Position[] = [];
  let found = 0;
  let cursor: string | undefined;
  for (;;) {
    const { items, end } = await read(slug, { cursor, count: PAGE_SIZE }, { signal, brief: true });
    if (items.length === 0) return { positions, end: cursor };
    positions.push({ cursor, count: items.length });
    cursor = end;
    found += items.length;
    onFound(found);
  }
}

/** Reads all items of a page. A response ends early if the contents are large. */
async function readPage(
  slug: string,
  { cursor, count }: Position,
  signal?: AbortSignal,
): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  let from = cursor;
  while (items.length < count) {
    const page = await read(slug, { cursor: from, count: count - items.length }, { signal });
    if (page.items.length === 0) break;
    items.push(...page.items);
    from = page.end;
  }
  return items;
}

async function read(
  slug: string,
  { cursor, count }: Position,
  { signal, brief }: { signal?: AbortSignal | undefined; brief?: boolean } = {},
): Promise<{ items: InboxItem[]; end: string }> {
  const page = await dashboard.handles.inbox({ slug, cursor, limit: count, brief }, { signal });
  return { items: inOrder(page), end: page.next_cursor! };
}

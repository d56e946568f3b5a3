/** Reads a list, and follows it while it is shown. */
import { useEffect, useRef, useState } from "preact/hooks";
import { follow } from "../../app/following.js";
import { type Listed, type ListPage, type Loaded, useLoad } from "../load.js";

/** A list that grows at one end while it is shown. */
export interface Source<Item> {
  /** Reads the first page. */
  list(signal: AbortSignal): PromiseLike<ListPage<Item>>;
  /** Reads what came after a position, oldest first, and waits for it. */
  after?: (
    position: { cursor: string; wait: number },
    signal: AbortSignal,
  ) => PromiseLike<{ items: readonly Item[]; next_cursor: string | null }>;
  keyOf: (item: Item) => string;
  /** Returns an item as it is after new ones have come. */
  amended?: (item: Item, arrived: readonly Item[]) => Item;
  /** Where new items belong. At the end, they do only once all pages were read. */
  growsAt: "start" | "end";
}

export interface Live<Item> extends Listed<Item> {
  /** How many of the items came after the list was read, at the end where it grows. */
  freshCount: number;
  /** Items that came, but are not in the list until `show` is called. */
  arrived: readonly Item[];
  show: () => void;
  /** Why the list is not followed at present. */
  problem: unknown;
}

interface State<Item> {
  pages: readonly ListPage<Item>[];
  /** The position from which the list is followed. */
  end: string | undefined;
  /** In the order of the list, as the arrived ones. */
  fresh: readonly Item[];
  arrived: readonly Item[];
}

/**
 * Reads a list as `useList`, and follows it while the tab is visible.
 * @param key what the list depends on
 */
export function useLive<Item>(key: string, source: Source<Item>): Loaded<Live<Item>> {
  const { keyOf, growsAt } = source;
  const [problem, setProblem] = useState<unknown>();
  const loaded = useLoad<State<Item>>(key, async (signal) => {
    // The position comes first, so that no item is between the two. Without one, the list is still shown.
    const latest = source.after?.({ cursor: "latest", wait: 0 }, signal);
    const end = await latest?.then(
      ({ next_cursor }) => next_cursor!,
      () => undefined,
    );
    return { pages: [await source.list(signal)], end, fresh: [], arrived: [] };
  });
  const current = useRef({ key, state: loaded.data });
  current.current = { key, state: loaded.data };
  const update = (change: (state: State<Item>) => Partial<State<Item>>) => {
    const { state } = current.current;
    // A further page may arrive after the view has gone on to another list.
    if (!state || current.current.key !== key) return;
    current.current.state = { ...state, ...change(state) };
    loaded.set(current.current.state);
  };
  const unknown = ({ pages, fresh, arrived }: State<Item>, items: readonly Item[]) => {
    const known = new Set([...fresh, ...arrived, ...pages.flatMap((page) => page.items)].map(keyOf));
    return items.filter((item) => !known.has(keyOf(item)));
  };
  const amend = (state: State<Item>, items: readonly Item[]): State<Item> => {
    if (!source.amended) return state;
    const amended = (list: readonly Item[]) => list.map((item) => source.amended!(item, items));
    const pages = state.pages.map((page) => withItems(page, amended(page.items)));
    return { ...state, pages, fresh: amended(state.fresh), arrived: amended(state.arrived) };
  };
  const join = (older: readonly Item[], newer: readonly Item[]) =>
    growsAt === "start" ? [...newer, ...older] : [...older, ...newer];

  const show = () => update(({ fresh, arrived }) => ({ fresh: join(fresh, arrived), arrived: [] }));

  const { data } = loaded;
  const lastPage = data?.pages.at(-1);
  const start = data?.end;
  /** Whether unread pages are left, which will contain the new items. */
  const isLater = growsAt === "end" && lastPage !== undefined && lastPage.next_cursor !== null;
  /** Reads what is new without waiting. Undefined while the list is not followed. */
  const readNow = useRef<(() => Promise<unknown>) | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `source` and `update` are new at each call, and depend on `key` alone
  useEffect(() => {
    if (start === undefined) return;
    if (isLater) {
      readNow.current = async () => {};
      return () => {
        readNow.current = undefined;
      };
    }
    const ended = new AbortController();
    let cursor = start;
    const readOn = async (wait: number, signal: AbortSignal) => {
      const page = await source.after!({ cursor, wait }, signal);
      if (signal.aborted) return false;
      cursor = page.next_cursor!;
      update((state) => {
        const items = unknown(state, page.items);
        const { pages, fresh, arrived } = amend(state, items);
        return { pages, fresh, arrived: join(arrived, growsAt === "start" ? items.reverse() : items) };
      });
      return page.items.length > 0;
    };
    void follow(readOn, setProblem, ended.signal);
    readNow.current = () => readOn(0, ended.signal);
    return () => {
      readNow.current = undefined;
      ended.abort();
    };
  }, [key, start, isLater]);

  const more =
    lastPage && lastPage.next_cursor !== null
      ? async () => {
          const next = await lastPage.next();
          // The list may have been read anew meanwhile.
          if (next)
            update((state) =>
              state.pages.length === data!.pages.length &&
              state.pages.at(-1)!.next_cursor === lastPage.next_cursor
                ? { pages: [...state.pages, withItems(next, unknown(state, next.items))] }
                : {},
            );
        }
      : undefined;
  return {
    ...loaded,
    data: data && {
      items: join(
        data.pages.flatMap(({ items }) => items),
        data.fresh,
      ),
      freshCount: data.fresh.length,
      arrived: data.arrived,
      show,
      more,
      problem,
    },
    set: () => loaded.reload(),
    reload: () => {
      // A followed list only lacks the newest items. Reading it again would close what is open in it.
      if (readNow.current) readNow.current().then(show, loaded.reload);
      else loaded.reload();
    },
  };
}

/** Returns a page with other items. The method of a page of the SDK is not one of its own properties. */
function withItems<Item>(page: ListPage<Item>, items: readonly Item[]): ListPage<Item> {
  return { items, next_cursor: page.next_cursor, next: () => page.next() };
}

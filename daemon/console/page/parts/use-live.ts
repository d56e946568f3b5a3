/** Loads the pages of a list, and adds new items while it is shown. */
import { useEffect, useRef, useState } from "preact/hooks";
import { follow } from "../app/following.js";
import { type Loaded, loadedOf, useLoad } from "./load.js";

export interface ListPage<Item> {
  items: readonly Item[];
  next_cursor: string | null;
  /**
   * Returns undefined if there is no next page.
   * @param shown all items that are shown so far
   */
  next(shown: readonly Item[]): Promise<ListPage<Item> | undefined>;
}

export interface Listed<Item> {
  items: readonly Item[];
  /** Loads the next page. Undefined at the end of the list. */
  more: (() => Promise<void>) | undefined;
}

/** Reads as many pages as were shown before, so that a view that is shown again is as long as it was. */
export async function readPages<Item>(first: PromiseLike<ListPage<Item>>, count = 1) {
  const pages = [await first];
  while (pages.length < count) {
    const next = await pages.at(-1)!.next(pages.flatMap(({ items }) => items));
    if (!next) break;
    pages.push(next);
  }
  return pages;
}

export interface Source<Item> {
  list(signal: AbortSignal): PromiseLike<ListPage<Item>>;
  /** If there are no items after the position, waits for up to `wait` seconds. */
  after?: (
    position: { cursor: string; wait: number },
    signal: AbortSignal,
  ) => PromiseLike<{ items: readonly Item[]; next_cursor: string | null }>;
  /** Needed with `after`. */
  keyOf?: (item: Item) => string;
  /** At `end`, new items are added only after all pages have been read. */
  growsAt: "start" | "end";
}

export interface Live<Item, Arrived = unknown> extends Listed<Item>, Pick<Source<Item>, "growsAt"> {
  /** Number of items that arrived after the list was loaded. They are at the end where the list grows. */
  freshCount: number;
  /** New items that are not in the list until `show` is called. */
  arrived: readonly Arrived[];
  show: () => void;
  /** The error that currently prevents live updates. */
  problem: unknown;
}

interface State<Item> {
  pages: readonly ListPage<Item>[];
  /** The cursor after which new items are read. */
  end: string | undefined;
  /** New items that were added to the list, in list order. */
  fresh: readonly Item[];
  arrived: readonly Item[];
}

/** Returns what a list has shown, without a request. */
export function shownOf<Item>(key: string): readonly Item[] {
  const { pages = [], fresh = [] } = loadedOf<State<Item>>(key) ?? {};
  return [...pages.flatMap(({ items }) => items), ...fresh];
}

/** @param key identifies the values that determine the list, such as a filter */
export function useLive<Item>(key: string, source: Source<Item>): Loaded<Live<Item, Item>> {
  const { keyOf, growsAt } = source;
  const [problem, setProblem] = useState<unknown>();
  const load = async (signal: AbortSignal, before?: State<Item>): Promise<State<Item>> => {
    // Get the cursor before the list, so that no item is missed between the two requests. If the request for
    // the cursor fails, show the list without live updates.
    const latest = source.after?.({ cursor: "latest", wait: 0 }, signal);
    const end = await latest?.then(
      ({ next_cursor }) => next_cursor!,
      () => undefined,
    );
    const pages = await readPages(source.list(signal), before?.pages.length);
    return { pages, end, fresh: [], arrived: [] };
  };
  const loaded = useLoad<State<Item>>(key, load, source.after !== undefined);
  const current = useRef({ key, state: loaded.data });
  current.current = { key, state: loaded.data };
  const update = (change: (state: State<Item>) => Partial<State<Item>>) => {
    const { state } = current.current;
    // The page may arrive after the view has switched to another list.
    if (!state || current.current.key !== key) return;
    current.current.state = { ...state, ...change(state) };
    loaded.set(current.current.state);
  };
  const unknown = ({ pages, fresh, arrived }: State<Item>, items: readonly Item[]) => {
    if (!keyOf) return [...items];
    const known = new Set([...fresh, ...arrived, ...pages.flatMap((page) => page.items)].map(keyOf));
    return items.filter((item) => !known.has(keyOf(item)));
  };
  const join = (older: readonly Item[], newer: readonly Item[]) =>
    growsAt === "start" ? [...newer, ...older] : [...older, ...newer];

  const show = () => update(({ fresh, arrived }) => ({ fresh: join(fresh, arrived), arrived: [] }));

  const { data } = loaded;
  const lastPage = data?.pages.at(-1);
  const start = data?.end;
  const isLater = growsAt === "end" && lastPage !== undefined && lastPage.next_cursor !== null;
  /** Undefined while live updates are off. */
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
        return { arrived: join(state.arrived, growsAt === "start" ? items.reverse() : items) };
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
          const next = await lastPage.next([...data!.pages.flatMap(({ items }) => items), ...data!.fresh]);
          // Check the pages again, because the list may have been reloaded during the request.
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
      growsAt,
      freshCount: data.fresh.length,
      arrived: data.arrived,
      show,
      more,
      problem,
    },
    reload: async () => {
      // A live list lacks at most the newest items, so only load those. A full reload would collapse expanded
      // items.
      if (readNow.current) await readNow.current().then(show, loaded.reload);
      else await loaded.reload();
    },
  };
}

/**
 * Returns a copy of the page with other items. The spread operator would lose `next`, which is a method of
 * the SDK's class.
 */
export function withItems<Item>(page: ListPage<Item>, items: readonly Item[]): ListPage<Item> {
  return { items, next_cursor: page.next_cursor, next: (shown) => page.next(shown) };
}

/** Loads data for a view. Handles the loading state, errors and pagination. */
import { effect, type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { changes, isUnreachable, whenBack } from "../app/connection.js";
import { session } from "../app/session.js";
import { Problem } from "./problem.js";

export interface Loaded<Data> {
  /** The data, or undefined until the first response. The old data stays during a reload. */
  data: Data | undefined;
  error: unknown;
  reload: () => Promise<void>;
  /**
   * Replaces the data with an action's result.
   * @param before the data when the action began; the call does nothing if newer data was loaded since then
   */
  set: (data: Data, before?: Data) => void;
}

interface Entry<Data> {
  state: Signal<{ data?: Data; error?: unknown }>;
  /** Number of changes of the page when the data was requested. */
  changes: number;
  /** Number of results of actions. A response to an earlier request does not replace them. */
  sets: number;
}

/** Loaded data, so that a view that is shown again appears at once. Ordered by use, the most recent last. */
const cache = new Map<string, Entry<unknown>>();
const MOST_ENTRIES = 100;

effect(() => {
  if (session.value !== "signed-in") cache.clear();
});

function entryOf<Data>(key: string): Entry<Data> {
  const entry = (cache.get(key) as Entry<Data> | undefined) ?? { state: signal({}), changes: -1, sets: 0 };
  cache.delete(key);
  cache.set(key, entry as Entry<unknown>);
  const [oldest] = cache.keys();
  if (cache.size > MOST_ENTRIES) cache.delete(oldest!);
  return entry;
}

/**
 * Loads data when the view is first shown, when `key` changes, and when `reload` is called. Until then, shows
 * what was loaded before.
 * @param key identifies the data among all that the page loads, such as `thread alice 019…`
 * @param load loads the data; its second argument is the data that it will replace
 * @param isFollowed whether the view itself keeps the data up to date, unless the page has changed something
 */
export function useLoad<Data>(
  key: string,
  load: (signal: AbortSignal, before?: Data) => PromiseLike<Data>,
  isFollowed = false,
): Loaded<Data> {
  const entry = useMemo(() => entryOf<Data>(key), [key]);
  const { state } = entry;
  const run = async (signal: AbortSignal): Promise<void> => {
    const { sets } = entry;
    const requested = changes;
    try {
      const data = await load(signal, state.peek().data);
      if (signal.aborted) return;
      // An action has changed the data meanwhile, so read it again. A followed list need not: what it has
      // shown meanwhile is in the response, or arrives again after its cursor.
      if (entry.sets !== sets && !isFollowed) return await run(signal);
      entry.changes = requested;
      state.value = { data };
    } catch (error) {
      if (!signal.aborted) state.value = { ...state.peek(), error };
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a new function at each call, and depends on `key` alone
  useEffect(() => {
    if (isFollowed && state.peek().data && entry.changes === changes) return;
    const abort = new AbortController();
    void run(abort.signal);
    return () => abort.abort();
  }, [key]);
  const { data, error } = state.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(
    () => (isUnreachable(error) ? whenBack(() => run(new AbortController().signal)) : undefined),
    [key, error],
  );
  return {
    data,
    error,
    reload: () => run(new AbortController().signal),
    set: (next, from) => {
      if (from !== undefined && state.peek().data !== from) return;
      entry.sets++;
      state.value = { data: next };
    },
  };
}

/** Appears only if loading takes a while (styles/parts.css). */
export function Loading() {
  return (
    <p class="loading" role="status">
      Loading …
    </p>
  );
}

export function Show<Data>({
  of,
  children,
}: {
  of: Omit<Loaded<Data>, "set">;
  children: (data: Data) => ComponentChildren;
}) {
  return (
    <>
      {of.error !== undefined && !isUnreachable(of.error) && <Problem error={of.error} retry={of.reload} />}
      {of.data === undefined ? of.error === undefined && <Loading /> : children(of.data)}
    </>
  );
}

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
  return { pages };
}

/** @param key identifies the values that determine the list, such as a filter */
export function useList<Item>(
  key: string,
  list: (signal: AbortSignal) => PromiseLike<ListPage<Item>>,
): Loaded<Listed<Item>> {
  const loaded = useLoad<{ pages: readonly ListPage<Item>[] }>(key, (signal, before) =>
    readPages(list(signal), before?.pages.length),
  );
  const { data, set, ...rest } = loaded;
  const lastPage = data?.pages.at(-1);
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const more =
    lastPage && lastPage.next_cursor !== null
      ? async () => {
          const next = await lastPage.next(items);
          if (next) set({ pages: [...data!.pages, next] }, data);
        }
      : undefined;
  return {
    ...rest,
    data: data && { items, more },
    // Load the pages again, because a single page cannot be replaced.
    set: rest.reload,
  };
}

export function useAll<Item>(
  key: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
  isWanted: (item: Item) => boolean,
): Loaded<Listed<Item>> {
  return useLoad<Listed<Item>>(key, async (signal) => {
    const items: Item[] = [];
    for await (const item of list(signal)) if (isWanted(item)) items.push(item);
    return { items, more: undefined };
  });
}

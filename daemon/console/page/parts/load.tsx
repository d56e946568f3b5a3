/** Loads data for a view. Handles the loading state, errors and pagination. */
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Button } from "./button.js";
import { Problem } from "./problem.js";

export interface Loaded<Data> {
  /** The data, or undefined until the first response. The old data stays during a reload. */
  data: Data | undefined;
  error: unknown;
  reload: () => void;
  /**
   * Replaces the data with an action's result.
   * @param before the data when the action began; the call does nothing if newer data was loaded since then
   */
  set: (data: Data, before?: Data) => void;
}

/**
 * Loads data when the view is first shown, when `key` changes, and when `reload` is called.
 * @param key identifies the values that determine the data, such as a handle's slug
 */
export function useLoad<Data>(key: string, load: (signal: AbortSignal) => PromiseLike<Data>): Loaded<Data> {
  const [state, setState] = useState<{ key: string; data?: Data; error?: unknown }>({ key });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a new function at each call, and depends on `key` alone
  useEffect(() => {
    const abort = new AbortController();
    Promise.resolve(load(abort.signal)).then(
      (data) => abort.signal.aborted || setState({ key, data }),
      (error: unknown) =>
        abort.signal.aborted || setState((before) => ({ ...(before.key === key && before), key, error })),
    );
    return () => abort.abort();
  }, [key, round]);
  const current = state.key === key ? state : { key };
  return {
    data: current.data,
    error: current.error,
    reload: useCallback(() => setRound((before) => before + 1), []),
    // Compare the key, because the action may end after the view has switched to another key.
    set: (data, from) =>
      setState((before) =>
        before.key === key && (from === undefined || before.data === from) ? { key, data } : before,
      ),
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
  of: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
}) {
  return (
    <>
      {of.error !== undefined && <Problem error={of.error} retry={of.reload} />}
      {of.data === undefined ? of.error === undefined && <Loading /> : children(of.data)}
    </>
  );
}

export interface ListPage<Item> {
  items: readonly Item[];
  next_cursor: string | null;
  /** Returns undefined if there is no next page. */
  next(): Promise<ListPage<Item> | undefined>;
}

export interface Listed<Item> {
  items: readonly Item[];
  /** Loads the next page. Undefined at the end of the list. */
  more: (() => Promise<void>) | undefined;
}

/** @param key identifies the values that determine the list, such as a filter */
export function useList<Item>(
  key: string,
  list: (signal: AbortSignal) => PromiseLike<ListPage<Item>>,
): Loaded<Listed<Item>> {
  const loaded = useLoad(key, async (signal) => ({ pages: [await list(signal)] }));
  const { data, set, ...rest } = loaded;
  const lastPage = data?.pages.at(-1);
  const more =
    lastPage && lastPage.next_cursor !== null
      ? async () => {
          const next = await lastPage.next();
          if (next) set({ pages: [...data!.pages, next] }, data);
        }
      : undefined;
  return {
    ...rest,
    data: data && { items: data.pages.flatMap(({ items }) => items), more },
    // Load all pages again, because a single page cannot be replaced.
    set: () => rest.reload(),
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

export function List<Item>({
  of,
  empty,
  children,
}: {
  of: Loaded<Listed<Item>>;
  empty: ComponentChildren;
  children: (item: Item) => ComponentChildren;
}) {
  return (
    <Show of={of}>
      {(listed) =>
        listed.items.length === 0 ? (
          empty
        ) : (
          <>
            <ul class="list">{listed.items.map(children)}</ul>
            <More of={listed} />
          </>
        )
      }
    </Show>
  );
}

export function More<Item>({ of }: { of: Listed<Item> }) {
  return of.more ? <Button onClick={of.more}>Show more</Button> : null;
}

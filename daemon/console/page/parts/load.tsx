/** Data of the service in a view: loading, error, and reading on. */
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Button } from "./button.js";
import { Problem } from "./problem.js";

export interface Loaded<Data> {
  /** Undefined until the first answer. It stays while the data is read again. */
  data: Data | undefined;
  error: unknown;
  reload: () => void;
  /**
   * Replaces the data by what an action returned.
   * @param before data that the action began with: if others were read meanwhile, they stay
   */
  set: (data: Data, before?: Data) => void;
}

/**
 * Reads data when the view is first shown, and again when `key` changes or `reload` is called.
 * @param key what the data depends on, such as the handle
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
    // An action may end after the view has gone on to another key.
    set: (data, from) =>
      setState((before) =>
        before.key === key && (from === undefined || before.data === from) ? { key, data } : before,
      ),
  };
}

/** Shows loaded data, or why there is none yet. */
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
      {of.data === undefined ? of.error === undefined && <p role="status">Loading …</p> : children(of.data)}
    </>
  );
}

/** A page of a list, as the SDK returns it. */
export interface ListPage<Item> {
  items: readonly Item[];
  next_cursor: string | null;
  /** Reads the next page. Returns undefined after the last one. */
  next(): Promise<ListPage<Item> | undefined>;
}

/** The items of a list that were read so far. */
export interface Listed<Item> {
  items: readonly Item[];
  /** Reads the next page; undefined at the end of the list. */
  more: (() => Promise<void>) | undefined;
}

/**
 * Reads the first page of a list, and further pages on demand.
 * @param key what the list depends on, such as the filter
 */
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
    // The pages are replaced as a whole by `reload`.
    set: () => rest.reload(),
  };
}

/** Reads the items of a whole list that are wanted. */
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

/** Shows a list page by page, or what stands in its place if it is empty. */
export function List<Item>({
  of,
  empty,
  children,
}: {
  of: Loaded<Listed<Item>>;
  empty: ComponentChildren;
  /** Renders an item as an `li` with a key. */
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

/** A button that reads the next page, if there is one. */
export function More<Item>({ of }: { of: Listed<Item> }) {
  return of.more ? <Button onClick={of.more}>Show more</Button> : null;
}

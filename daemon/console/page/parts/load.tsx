/** Loads data for a view, and shows that it loads and what has failed. */
import { effect, type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { changes, isUnreachable, whenBack } from "../app/connection.js";
import { session } from "../app/session.js";
import { whileVisible } from "../app/while-visible.js";
import { Problem } from "./problem.js";

export interface Loaded<Data> {
  /** The data, or undefined until the first response. The old data stays during a reload. */
  data: Data | undefined;
  error: unknown;
  reload: () => Promise<void>;
}

interface Settable<Data> extends Loaded<Data> {
  /** Replaces the data with an action's result. */
  set: (data: Data) => void;
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

/** Returns what a view has loaded, without a request. */
export function loadedOf<Data>(key: string): Data | undefined {
  return (cache.get(key) as Entry<Data> | undefined)?.state.value.data;
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
): Settable<Data> {
  const entry = useMemo(() => entryOf<Data>(key), [key]);
  const { state } = entry;
  const run = async (signal: AbortSignal): Promise<void> => {
    const { sets } = entry;
    const requested = changes;
    try {
      const data = await load(signal, state.peek().data);
      // Ignore a response that is older than the one that is shown after a change.
      if (signal.aborted || requested < entry.changes) return;
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
    set: (next) => {
      entry.sets++;
      state.value = { data: next };
    },
  };
}

/** Loads data again at intervals while the tab is visible. */
export function useReloaded<Data>(
  key: string,
  load: (signal: AbortSignal) => PromiseLike<Data>,
  everyMs: number,
): Loaded<Data> {
  const loaded = useLoad(key, load);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is a new function at each call, and depends on `key` alone
  useEffect(() => whileVisible(loaded.reload, everyMs), [key]);
  return loaded;
}

/** Appears only if loading takes a while (styles/parts.css). */
export function Loading() {
  return (
    <p class="loading" role="status">
      Loading …
    </p>
  );
}

interface ShowProps<Data> {
  of: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
}

export function Show<Data>({ of, children }: ShowProps<Data>) {
  return (
    <>
      {of.error !== undefined && !isUnreachable(of.error) && <Problem error={of.error} retry={of.reload} />}
      {of.data === undefined ? of.error === undefined && <Loading /> : children(of.data)}
    </>
  );
}

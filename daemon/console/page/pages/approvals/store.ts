/** The wires and knocks that wait for the human. Every view shows their number, so this store lives as long as the session. */

import { computed, effect, signal } from "@preact/signals";
import type { Approval } from "@wireroom/sdk";
import { badges } from "../../app/badges.js";
import { dashboard } from "../../app/clients.js";
import { session, subject } from "../../app/session.js";

/** A request is held this long. When it ends, the list is read anew, because others may have answered meanwhile. */
const WAIT_SECONDS = 45;
const PAGE_SIZE = 100;
/** Pause after a failed request. */
const RETRY_MS = 3_000;

const waiting = signal<readonly Approval[] | undefined>(undefined);
/** The ids of approvals whose answer is about to be sent. */
export const leaving = signal<ReadonlySet<string>>(new Set());
/** Why the last request failed; undefined if it did not. */
export const feedError = signal<unknown>(undefined);

/** What waits for an answer, oldest first; undefined until it was read. */
export const pending = computed(() => waiting.value?.filter(({ id }) => !leaving.value.has(id)));

/** Tabs of one browser share one held request, because a browser opens at most six connections to a server. */
let tabs: BroadcastChannel | undefined;
let isPolling = false;
let onNew: (approvals: readonly Approval[]) => void = () => {};

/** Calls a function with approvals that arrive while the console is open, in the tab that polls. */
export function onNewApprovals(listener: typeof onNew): void {
  onNew = listener;
}

/**
 * Removes an approval that was answered here: it waits no more.
 * @returns puts it back if the answer did not arrive
 */
export function remove(id: string): () => void {
  const removed = waiting.value?.filter((each) => each.id === id) ?? [];
  const others = () => (waiting.value ?? []).filter((each) => each.id !== id);
  publish(others());
  return () => publish([...removed, ...others()]);
}

/** Follows the approvals while the human is signed in. */
export function followApprovals(): void {
  effect(() => {
    if (session.value !== "signed-in") {
      waiting.value = undefined;
      return;
    }
    const stop = new AbortController();
    // Another human may have signed in in another tab.
    const name = `wireroom-approvals ${subject()}`;
    const channel = new BroadcastChannel(name);
    tabs = channel;
    channel.addEventListener("message", ({ data }) => {
      if (data === "hello") {
        if (isPolling && waiting.value) channel.postMessage(waiting.value);
      } else waiting.value = data as readonly Approval[];
    });
    channel.postMessage("hello");
    navigator.locks.request(name, { signal: stop.signal }, () => poll(stop.signal)).catch(() => {});
    return () => {
      stop.abort();
      channel.close();
      tabs = undefined;
    };
  });
  effect(() => {
    badges.value = { approvals: pending.value?.length ?? 0 };
  });
}

async function poll(signal: AbortSignal): Promise<void> {
  isPolling = true;
  while (!signal.aborted) {
    try {
      const before = waiting.value;
      let all: Approval[] = [];
      let cursor: string | undefined;
      for (let isWhole = false; !isWhole; ) {
        const page = await dashboard.approvals.list({ cursor, limit: PAGE_SIZE, wait: 0 }, { signal });
        all = [...all, ...page.approvals];
        cursor = page.next_cursor!;
        isWhole = page.approvals.length === 0;
      }
      // Meanwhile an answer has arrived, perhaps from another tab. The list may still contain what it was about.
      if (waiting.value !== before) continue;
      announce(all);
      publish(all);
      feedError.value = undefined;
      const { approvals } = await dashboard.approvals.list(
        { cursor, limit: PAGE_SIZE, wait: WAIT_SECONDS },
        { signal },
      );
      if (approvals.length > 0) {
        announce(approvals);
        publish([...(waiting.value ?? []), ...approvals]);
      }
    } catch (error) {
      if (signal.aborted) break;
      feedError.value = error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  isPolling = false;
}

/** Tells the listener of approvals that were not there before. The first list is not news. */
function announce(approvals: readonly Approval[]): void {
  const known = waiting.value;
  if (!known) return;
  const added = approvals.filter(({ id }) => !known.some((each) => each.id === id));
  if (added.length > 0) onNew(added);
}

function publish(approvals: readonly Approval[]): void {
  waiting.value = approvals;
  tabs?.postMessage(approvals);
}

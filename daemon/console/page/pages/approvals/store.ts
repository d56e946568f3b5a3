/** The wires and knocks that wait for the human's approval. The store exists as long as the session. */

import { computed, effect, signal } from "@preact/signals";
import type { Approval } from "@wireroom/sdk";
import { badges } from "../../app/badges.js";
import { dashboard } from "../../app/clients.js";
import { nowMs } from "../../app/clock.js";
import { session, subject } from "../../app/session.js";

/**
 * Maximum duration of a long poll. The list is read again afterwards, because someone else may have answered
 * approvals.
 */
const WAIT_SECONDS = 45;
const PAGE_SIZE = 100;
/** Delay before a failed request is sent again. */
const RETRY_MS = 3_000;

export const STATUSES = {
  pending: "Waiting",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired",
  withdrawn: "Withdrawn",
};

/** Returns an approval's title for lists and notifications. */
export function nameOf({ handle, target }: Approval): string {
  return `@${handle} to ${target}`;
}

/** The approvals as the daemon returned them. */
interface List {
  approvals: readonly Approval[];
  /** When the request for this list was sent, in milliseconds since 1970. */
  asOfMs: number;
}

const list = signal<List | undefined>(undefined);
/** When each approval was answered in this browser. A list requested earlier may still contain it. */
const answered = signal<ReadonlyMap<string, number>>(new Map());
/** Ids of approvals whose answer will be sent soon and can still be undone. */
export const leaving = signal<ReadonlySet<string>>(new Set());
/** The error of the last request; undefined if the request succeeded. */
export const feedError = signal<unknown>(undefined);

const unanswered = computed(() =>
  list.value?.approvals.filter(({ id }) => !(answered.value.get(id)! >= list.value!.asOfMs)),
);

/** The approvals that wait for an answer, oldest first; undefined until the first list is read. */
export const pending = computed(() => unanswered.value?.filter(({ id }) => !leaving.value.has(id)));

/** Connects this browser's tabs. They share one long poll, because browsers limit connections per server. */
let tabs: BroadcastChannel | undefined;
let isPolling = false;
let onNew: (approvals: readonly Approval[]) => void = () => {};

/** Sets the listener for approvals that arrive while the console is open. Only the polling tab calls it. */
export function onNewApprovals(listener: typeof onNew): void {
  onNew = listener;
}

/**
 * Removes an approval that was answered here from the lists of all tabs.
 * @returns a function that puts the approval back if the answer did not arrive
 */
export function remove(id: string): () => void {
  const set = (atMs: number | undefined) => {
    setAnswered({ id, atMs });
    tabs?.postMessage({ id, atMs } satisfies Answered);
  };
  set(nowMs());
  return () => set(undefined);
}

interface Answered {
  id: string;
  /** Undefined if the answer did not arrive. */
  atMs: number | undefined;
}

function setAnswered({ id, atMs }: Answered): void {
  const next = new Map(answered.value);
  if (atMs === undefined) next.delete(id);
  else next.set(id, atMs);
  answered.value = next;
}

/** Keeps the store up to date while the human is signed in. */
export function followApprovals(): void {
  effect(() => {
    if (session.value !== "signed-in") {
      list.value = undefined;
      answered.value = new Map();
      return;
    }
    const stop = new AbortController();
    // The name includes the human's id, because another human may have signed in in another tab.
    const name = `wireroom-approvals ${subject()}`;
    const channel = new BroadcastChannel(name);
    tabs = channel;
    channel.addEventListener("message", ({ data }: MessageEvent<"hello" | List | Answered>) => {
      if (data === "hello") {
        // Without this message, the new tab would not know which approvals were answered before.
        if (isPolling && list.value) channel.postMessage({ ...list.value, approvals: unanswered.value });
      } else if ("id" in data) setAnswered(data);
      else list.value = data;
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
      let all: Approval[] = [];
      let cursor: string | undefined;
      const asOfMs = nowMs();
      for (let isWhole = false; !isWhole; ) {
        const page = await dashboard.approvals.list({ cursor, limit: PAGE_SIZE, wait: 0 }, { signal });
        all = [...all, ...page.approvals];
        cursor = page.next_cursor!;
        isWhole = page.approvals.length === 0;
      }
      announce(all);
      publish({ approvals: all, asOfMs });
      feedError.value = undefined;
      const { approvals } = await dashboard.approvals.list(
        { cursor, limit: PAGE_SIZE, wait: WAIT_SECONDS },
        { signal },
      );
      if (approvals.length > 0) {
        announce(approvals);
        publish({ approvals: [...all, ...approvals], asOfMs });
      }
    } catch (error) {
      if (signal.aborted) break;
      feedError.value = error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  isPolling = false;
}

/** Calls the listener with approvals that are new. The first list does not count as new. */
function announce(approvals: readonly Approval[]): void {
  const known = list.value?.approvals;
  if (!known) return;
  const added = approvals.filter(({ id }) => !known.some((each) => each.id === id));
  if (added.length > 0) onNew(added);
}

function publish(next: List): void {
  list.value = next;
  tabs?.postMessage(next);
}

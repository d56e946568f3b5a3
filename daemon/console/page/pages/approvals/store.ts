/** The wires and knocks that wait for the human's approval. The store exists as long as the session. */

import { computed, effect, signal } from "@preact/signals";
import type { Approval } from "@wireroom/sdk";
import { badges } from "../../app/badges.js";
import { dashboard } from "../../app/clients.js";
import { nowMs } from "../../app/clock.js";
import { follow, pause } from "../../app/following.js";
import { type Channel, channelOf } from "../../app/memory.js";
import { session, subject } from "../../app/session.js";
import { visible } from "../../parts/agent-text.js";

const PAGE_SIZE = 100;
/** Delay before the list is read again after a decision, because more decisions often follow at once. */
const SETTLE_MS = 500;

export const STATUSES = {
  pending: "Waiting",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired",
  withdrawn: "Withdrawn",
};

export function nameOf({ handle, target }: Pick<Approval, "handle" | "target">): string {
  return `@${handle} to ${target}`;
}

/** Returns the first words of the wire or knock. */
export function snippetOf({ wire, knock }: Pick<Approval, "wire" | "knock">): string {
  const text = wire?.text_body ?? knock?.intro ?? JSON.stringify(wire?.payload ?? null);
  return visible(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

interface List {
  approvals: readonly Approval[];
  /** Time of the request, in milliseconds since 1970. */
  asOfMs: number;
}

const list = signal<List | undefined>(undefined);
/**
 * Time at which each approval was answered in this browser. A list that was requested earlier may still
 * contain the approval.
 */
const answered = signal<ReadonlyMap<string, number>>(new Map());
export const leaving = signal<ReadonlySet<string>>(new Set());
export const feedError = signal<unknown>(undefined);

const unanswered = computed(() =>
  list.value?.approvals.filter(({ id }) => !(answered.value.get(id)! >= list.value!.asOfMs)),
);

/** Oldest first. Undefined until the first list has arrived. */
export const pending = computed(() => unanswered.value?.filter(({ id }) => !leaving.value.has(id)));

/**
 * The channel between this browser's tabs. The tabs share one long poll, because browsers limit the
 * connections to a server.
 */
let tabs: Channel | undefined;
let isPolling = false;
let onNew: (approvals: readonly Approval[]) => void = () => {};

/** Only the tab that polls calls the listener. */
export function onNewApprovals(listener: typeof onNew): void {
  onNew = listener;
}

/**
 * Removes an approval from the lists of all tabs.
 * @returns a function that restores the approval if the answer did not arrive
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

export function followApprovals(): void {
  effect(() => {
    if (session.value !== "signed-in") {
      list.value = undefined;
      answered.value = new Map();
      return;
    }
    const stop = new AbortController();
    // The channel's name includes the human's id, because a different human may have signed in in another
    // tab.
    const name = `wireroom-approvals ${subject()}`;
    const channel = channelOf(name);
    tabs = channel;
    channel.addEventListener("message", ({ data }: MessageEvent<"hello" | List | Answered>) => {
      if (data === "hello") {
        // Send the new tab the list without answered approvals, because the tab does not know earlier
        // answers.
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
    badges.value = { ...badges.peek(), approvals: pending.value?.length ?? 0 };
  });
}

/** Reads the whole list, and again when an approval arrives or is decided anywhere. */
async function poll(ended: AbortSignal): Promise<void> {
  isPolling = true;
  /** The end of the list that was read last. Undefined if that failed. */
  let end: string | undefined;
  const readOn = async (wait: number, signal: AbortSignal): Promise<boolean> => {
    const read = (cursor: string | undefined, wait: number) =>
      dashboard.approvals.list({ cursor, limit: PAGE_SIZE, wait, decisions: "true" }, { signal });
    const start = end;
    end = undefined;
    if (start !== undefined) {
      const { approvals } = await read(start, wait);
      if (approvals.length === 0) await pause(SETTLE_MS, signal);
    }
    const asOfMs = nowMs();
    const all: Approval[] = [];
    let page = await read(undefined, 0);
    for (; page.approvals.length > 0; page = await read(page.next_cursor!, 0)) all.push(...page.approvals);
    end = page.next_cursor!;
    announce(all);
    publish({ approvals: all, asOfMs });
    return true;
  };
  const onState = (problem: unknown) => {
    feedError.value = problem;
  };
  await follow(readOn, onState, ended, true);
  isPolling = false;
}

/** Approvals in the first list are not new. */
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

/** Counts the acting handle's inbox items that its agent has not acknowledged, and its unanswered knocks. */
import { computed, effect, signal } from "@preact/signals";
import { inOrder } from "@wireroom/sdk";
import { acting } from "../../app/acting.js";
import { badges, NONE_UNREAD, unread } from "../../app/badges.js";
import { agent } from "../../app/clients.js";
import { path } from "../../app/router.js";
import { whileVisible } from "../../app/while-visible.js";
import { keyOf, timeOf } from "./inbox-source.js";

const PAGE_SIZE = 100;
const READ_AGAIN_MS = 60_000;

const now = signal(0);
const section = computed(() => path.value.split("/")[1]);

export function followWaiting(): void {
  whileVisible(() => {
    now.value++;
  }, READ_AGAIN_MS);
  // Forget what is new when another handle acts, because these marks must not appear on its items.
  effect(() => {
    void acting.value;
    unread.value = NONE_UNREAD;
  });
  effect(() => {
    const as = acting.value;
    // Read again when the human opens another section, because they have often just answered something.
    void section.value;
    void now.value;
    if (as === undefined) return;
    const abort = new AbortController();
    // The view itself shows errors. The counts stay as they were.
    read(as, abort.signal).catch(() => {});
    return () => abort.abort();
  });
}

async function read(as: string, signal: AbortSignal): Promise<void> {
  const { items, ...counts } = await waitingFor(as, signal);
  if (signal.aborted) return;
  const last = items.at(-1);
  unread.value = last ? { keys: new Set(items.map(keyOf)), later: timeOf(last) } : NONE_UNREAD;
  badges.value = { ...badges.peek(), ...counts };
}

/** Reads the inbox without a cursor, because a read with a cursor acknowledges the items before it. */
export async function waitingFor(as: string, signal: AbortSignal) {
  const { inbox, knocks } = agent(as);
  const [page, waiting] = await Promise.all([
    inbox.read({ limit: PAGE_SIZE, brief: true }, { signal }),
    knocks.list({ direction: "received", status: "pending", limit: PAGE_SIZE }, { signal }),
  ]);
  const items = inOrder(page);
  const countOf = ({ length }: readonly unknown[]) => (length < PAGE_SIZE ? length : `${PAGE_SIZE}+`);
  return { items, inbox: countOf(items), people: countOf(waiting.items) };
}

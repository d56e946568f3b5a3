/**
 * The keys of the inbox: `inboxKeys` is the table of all keys, and the functions below it are their actions.
 * A form that was closed without sending is kept as a draft. A retry of a wire that may have been sent uses
 * the same idempotency key.
 */
import type { Knock, Wire } from "../../../sdk/src/index.js";
import { randomHexName } from "../../clock.js";
import { type Form, valuesOf } from "../frame/form.js";
import { type KeyBinding, unless } from "../frame/key-bindings.js";
import { MOVES } from "../frame/pane.js";
import { EMPTY_TEXT, edited } from "../frame/text-buffer.js";
import type { Key } from "../terminal/keyboard.js";
import { replyForm, searchForm, sendInputOf, wireForm } from "./composer.js";
import {
  type Inbox,
  type InboxState,
  selectedEntry,
  selectedKnock,
  selectedWire,
  shownEntries,
} from "./inbox.js";
import { countRows, type Entry, idOf } from "./items.js";

export function inboxKeys(inbox: Inbox): KeyBinding[] {
  return inbox.state.isFiltering
    ? filterKeys(inbox)
    : [...paneKeys(inbox), ...itemKeys(inbox), ...otherKeys(inbox)];
}

/** Returns the keys while the filter is focused. They handle every key, because letters edit the filter. */
function filterKeys(inbox: Inbox): KeyBinding[] {
  return [
    { keys: ["enter", "tab"], label: "keep the filter", run: () => keepFilter(inbox) },
    { keys: ["escape"], label: "show all", run: () => clearFilter(inbox) },
    { keys: ["up", "down"], shown: "↑↓", label: "choose", run: (key) => inbox.moveInList(key) },
    { keys: ["any"], run: (key) => editFilter(inbox, key) },
  ];
}

function paneKeys(inbox: Inbox): KeyBinding[] {
  const { focus, filter } = inbox.state;
  const inList = unless(focus === "list");
  const inThread = unless(focus === "thread");
  return [
    {
      keys: MOVES,
      shown: "↑↓",
      label: "choose",
      help: "also j k, Page Up, Page Down, Home, End",
      refusal: inList,
      run: (key) => inbox.moveInList(key),
    },
    {
      keys: ["tab", "shift-tab", "enter", "right"],
      label: "thread",
      help: "also Enter and →",
      refusal: inList,
      run: () => inbox.set({ focus: "thread" }),
    },
    {
      keys: [...MOVES, " "],
      shown: "↑↓",
      label: "scroll",
      help: "in the thread, wire by wire; also Space",
      refusal: inThread,
      run: (key) => inbox.scrollThread(key),
    },
    {
      keys: ["tab", "shift-tab", "left", "escape"],
      label: "list",
      help: "back from the thread; also ← and Esc",
      refusal: inThread,
      run: () => inbox.set({ focus: "list" }),
    },
    {
      keys: ["escape"],
      label: "show all",
      help: "ends the filter",
      refusal: unless(filter),
      run: () => clearFilter(inbox),
    },
  ];
}

function itemKeys(inbox: Inbox): KeyBinding[] {
  const { state, me } = inbox;
  const wire = selectedWire(state);
  const knock = selectedKnock(state);
  const noWire = unless(wire, "Select a wire to reply to. To write to anyone else: n");
  const noKnock = knock
    ? unless(knock.status === "pending", `This knock is ${knock.status} already.`)
    : "Select a knock in the list to answer it.";
  const covered = coveredEntries(state);
  const count = countRows(covered);
  return [
    {
      keys: ["r"],
      label: "reply",
      help: "with text, a payload, or both",
      refusal: noWire,
      run: () => reply(inbox, wire!, "text"),
    },
    {
      keys: ["p"],
      label: "reply with a payload",
      only: "help",
      refusal: noWire,
      run: () => reply(inbox, wire!, "payload"),
    },
    {
      keys: ["a"],
      label: "accept",
      help: "a knock: both become contacts",
      refusal: noKnock,
      run: () => answerKnock(inbox, knock!, "accepted"),
    },
    {
      keys: ["r"],
      label: "reject",
      help: "a knock",
      refusal: noKnock,
      run: () => rejectKnock(inbox, knock!),
    },
    {
      keys: ["d"],
      label: count > 1 ? `acknowledge ${count}` : "acknowledge",
      help: "moves the inbox's checkpoint behind the selected item",
      refusal: unless(
        covered.length > 0,
        selectedEntry(state) ? "This item is acknowledged already." : "There is nothing to acknowledge.",
      ),
      run: () => acknowledge(inbox, covered),
    },
    {
      keys: ["D", "delete"],
      label: "delete",
      help: "a wire of your own, for everyone",
      refusal:
        wire?.sender === me
          ? unless(wire.tombstone === null, "This wire is removed already.")
          : "Only a wire of your own can be deleted: select it in its thread (Tab).",
      run: () => deleteWire(inbox, wire!),
    },
  ];
}

function otherKeys(inbox: Inbox): KeyBinding[] {
  return [
    { keys: ["n"], label: "new wire", run: () => newWire(inbox) },
    { keys: ["/"], label: "filter", help: "the list", run: () => startFilter(inbox) },
    { keys: ["s"], label: "search a space", only: "help", run: () => searchSpace(inbox) },
    { keys: ["m"], label: "more", help: "the next page", only: "help", run: () => loadMore(inbox) },
    { keys: ["f", "ctrl-r"], label: "update now", only: "help", run: () => refresh(inbox) },
    // This entry binds no key. In the help, it explains the symbols in the list.
    { keys: [], shown: "● ○ ✓", label: "new; seen; acknowledged", only: "help", run() {} },
  ];
}

function startFilter({ set, state }: Inbox): void {
  set({ filter: state.filter ?? EMPTY_TEXT, isFiltering: true, focus: "list" });
}

function editFilter(inbox: Inbox, key: Key): void {
  const { filter = EMPTY_TEXT } = inbox.state;
  inbox.set({ filter: edited(filter, key, false) ?? filter });
  inbox.keepSelection();
}

function keepFilter({ set, state }: Inbox): void {
  set({ filter: state.filter?.value ? state.filter : undefined, isFiltering: false });
}

function clearFilter(inbox: Inbox): void {
  inbox.set({ filter: undefined, isFiltering: false });
  inbox.keepSelection();
}

function reply(inbox: Inbox, wire: Wire, focus: "text" | "payload"): void {
  const purpose = `reply ${wire.id}`;
  compose(inbox, purpose, replyForm(wire, inbox.me, focus), (form) => send(inbox, form, purpose, wire));
}

function newWire(inbox: Inbox): void {
  compose(inbox, "wire", wireForm(), (form) => send(inbox, form, "wire", undefined));
}

function searchSpace(inbox: Inbox): void {
  compose(inbox, "search", searchForm(), async (form) => {
    const { space = "", q = "" } = valuesOf(form);
    await inbox.threads.search(space.trim().replace(/^#/, ""), q);
    inbox.set({ focus: "thread" });
  });
}

/** Restores the draft if the user closed the same form earlier without sending it. */
function compose(inbox: Inbox, purpose: string, form: Form, submit: (form: Form) => Promise<void>): void {
  const { shell, drafts } = inbox;
  shell.openForm(drafts.get(purpose) ?? form, {
    submit: async (sent) => {
      await submit(sent);
      drafts.delete(purpose);
    },
    onCancel: (draft) => drafts.set(purpose, { ...draft, errors: [] }),
  });
}

async function send(inbox: Inbox, form: Form, purpose: string, replyTo: Wire | undefined): Promise<void> {
  const { client, shell, attempts, threads } = inbox;
  const input = sendInputOf(form, inbox.me, replyTo);
  const content = JSON.stringify(valuesOf(form));
  const last = attempts.get(purpose);
  const idempotencyKey = last?.content === content ? last.idempotencyKey : randomHexName();
  attempts.set(purpose, { content, idempotencyKey });
  const sent = await client.wires.send(input, { maxRetries: 1, idempotencyKey });
  attempts.delete(purpose);
  if (sent.status === "held") shell.notify(`Held: it goes to ${input.to} once your human approves it`);
  else if (sent.accepted_knock !== undefined)
    shell.notify(`Sent to ${input.to}. This accepted their knock: you are contacts now.`, "good");
  else shell.notify(`Sent to ${input.to}`, "good");
  threads.reload(replyTo?.id, sent.id);
}

function answerKnock(inbox: Inbox, { id, from }: Knock, status: "accepted" | "rejected"): void {
  const { shell, client } = inbox;
  void shell.attempt(status === "accepted" ? "accepting" : "rejecting", async () => {
    const knock = await client.knocks.answer({ id, status });
    const entries = inbox.state.entries.map((entry): Entry => {
      const { item } = entry;
      return item.kind === "knock" && item.knock.id === id ? { ...entry, item: { ...item, knock } } : entry;
    });
    inbox.set({ entries });
    shell.notify(status === "accepted" ? `@${from} is a contact now` : "Knock rejected", "good");
  });
}

function rejectKnock(inbox: Inbox, knock: Knock): void {
  inbox.shell.ask({
    title: "Reject this knock?",
    lines: [knock.intro, "", `@${knock.from} cannot knock again for 7 days.`],
    yes: "reject",
    run: () => answerKnock(inbox, knock, "rejected"),
  });
}

function deleteWire({ shell, client, threads, feed }: Inbox, wire: Wire): void {
  shell.ask({
    title: "Delete this wire?",
    lines: [
      wire.text_body ?? JSON.stringify(wire.payload),
      "",
      "Its text and payload are gone for everyone.",
    ],
    yes: "delete",
    run: () =>
      void shell.attempt("deleting", async () => {
        await client.wires.delete({ id: wire.id });
        shell.notify("Deleted", "good");
        threads.reload(wire.id);
        feed.refresh();
      }),
  });
}

/** Returns the entries that `acknowledge` covers: the selected entry and all pending entries before it. */
function coveredEntries(state: InboxState): readonly Entry[] {
  const { entries } = state;
  const entry = selectedEntry(state);
  if (!entry || entry.isAcknowledged) return [];
  return entries.slice(0, entries.indexOf(entry) + 1).filter(({ isAcknowledged }) => !isAcknowledged);
}

/** Asks first if several items would be acknowledged. */
function acknowledge(inbox: Inbox, covered: readonly Entry[]): void {
  const count = countRows(covered);
  const run = () => void inbox.shell.attempt("moving the checkpoint", () => moveCheckpoint(inbox, covered));
  if (count <= 1) {
    run();
    return;
  }
  const shown = new Set(shownEntries(inbox.state));
  const hidden = count - covered.filter((entry) => shown.has(entry)).length;
  const others = count === 2 ? "1 pending item before it is" : `${count - 1} pending items before it are`;
  inbox.shell.ask({
    title: `Acknowledge ${count} items?`,
    lines: [
      `The checkpoint moves behind the selected item, so the ${others} acknowledged too.`,
      ...(hidden > 0 ? [`The filter hides ${hidden} of them.`] : []),
    ],
    yes: `acknowledge ${count} items`,
    run,
  });
}

async function moveCheckpoint(inbox: Inbox, covered: readonly Entry[]): Promise<void> {
  const last = covered.at(-1)?.id;
  const items = await inbox.feed.acknowledge(covered.map(({ item }) => item));
  const ids = new Set(items.map(idOf));
  const count = countRows(covered.filter(({ id }) => ids.has(id)));
  inbox.shell.notify(count === 1 ? "1 item acknowledged" : `${count} items acknowledged`, "good");
  if (inbox.state.selected !== last) return;
  const shown = shownEntries(inbox.state);
  const next = shown[shown.findIndex(({ id }) => id === last) + 1];
  if (next) inbox.select(next.id);
}

function loadMore({ state, shell, threads }: Inbox): void {
  const { thread, focus, hasMorePending } = state;
  if (focus === "thread" && thread?.next) void shell.attempt("loading more", () => threads.more());
  else if (hasMorePending)
    shell.notify("The inbox shows 100 pending items at once. Acknowledge some (d) to see more.");
  else shell.notify("There is nothing more.");
}

function refresh(inbox: Inbox): void {
  inbox.feed.refresh();
  inbox.reloadThread();
}

/** The key bindings of the inbox. */
import type { KeyBinding } from "../frame/key-bindings.js";
import { MOVES } from "../frame/list-window.js";
import type { Inbox } from "./inbox.js";
import { countRows, coveredEntries, pendingKnock, selectedEntry, selectedWire } from "./state.js";

export function inboxKeys(inbox: Inbox): KeyBinding[] {
  return [...filterBindings(inbox), ...paneBindings(inbox), ...itemBindings(inbox), ...otherBindings(inbox)];
}

/**
 * Returns the bindings while the filter is focused. They handle every key, because letters edit the filter.
 */
function filterBindings(inbox: Inbox): KeyBinding[] {
  const when = () => inbox.state.isFiltering;
  return [
    {
      keys: ["enter", "tab"],
      shown: "Enter",
      label: "keep the filter",
      isInHelp: false,
      when,
      run: () => inbox.keepFilter(),
    },
    {
      keys: ["escape"],
      shown: "Esc",
      label: "show all",
      isInHelp: false,
      when,
      run: () => inbox.clearFilter(),
    },
    {
      keys: ["up", "down"],
      shown: "↑↓",
      label: "choose",
      isInHelp: false,
      when,
      run: (key) => inbox.moveInList(key),
    },
    { keys: ["any"], when, run: (key) => inbox.editFilter(key) },
  ];
}

/** Returns the bindings that move the selection within a pane and switch between panes. */
function paneBindings(inbox: Inbox): KeyBinding[] {
  const inList = () => inbox.state.focus === "list";
  const inThread = () => inbox.state.focus === "thread";
  return [
    {
      keys: MOVES,
      shown: "↑↓",
      label: "choose",
      help: "also j k, Page Up, Page Down, Home, End",
      when: inList,
      run: (key) => inbox.moveInList(key),
    },
    {
      keys: ["tab", "shift-tab", "enter", "right"],
      shown: "Tab",
      label: "thread",
      help: "also Enter and →",
      when: inList,
      run: () => inbox.focus("thread"),
    },
    {
      keys: [...MOVES, " "],
      shown: "↑↓",
      label: "scroll",
      help: "in the thread, wire by wire; also Space",
      when: inThread,
      run: (key) => inbox.scrollThread(key),
    },
    {
      keys: ["tab", "shift-tab", "left", "escape"],
      shown: "Tab",
      label: "list",
      help: "back from the thread; also ← and Esc",
      when: inThread,
      run: () => inbox.focus("list"),
    },
    {
      keys: ["escape"],
      shown: "Esc",
      label: "show all",
      help: "ends the filter",
      when: () => inbox.state.filter !== undefined,
      run: () => inbox.clearFilter(),
    },
  ];
}

/** Returns the bindings that act on the selected wire or knock. */
function itemBindings(inbox: Inbox): KeyBinding[] {
  const hasWire = () => selectedWire(inbox.state) !== undefined;
  const hasKnock = () => inbox.state.focus === "list" && pendingKnock(inbox.state) !== undefined;
  const hasOwnWire = () => {
    const wire = selectedWire(inbox.state);
    return wire !== undefined && wire.sender === inbox.state.me && wire.tombstone === null;
  };
  const noWire = () => "Select a wire to reply to. To write to anyone else: n";
  const noKnock = () => {
    const item = selectedEntry(inbox.state)?.item;
    return item?.kind === "knock" && inbox.state.focus === "list"
      ? `This knock is ${item.knock.status} already.`
      : "Select a knock in the list to answer it.";
  };
  const count = countRows(coveredEntries(inbox.state));
  return [
    {
      keys: ["r"],
      shown: "r",
      label: "reply",
      help: "with text, a payload, or both",
      when: hasWire,
      otherwise: noWire,
      run: () => inbox.reply("text"),
    },
    {
      keys: ["p"],
      shown: "p",
      label: "reply with a payload",
      isRare: true,
      when: hasWire,
      otherwise: noWire,
      run: () => inbox.reply("payload"),
    },
    {
      keys: ["a"],
      shown: "a",
      label: "accept",
      help: "a knock: both become contacts",
      when: hasKnock,
      otherwise: noKnock,
      run: () => inbox.acceptKnock(),
    },
    {
      keys: ["x"],
      shown: "x",
      label: "reject",
      help: "a knock",
      when: hasKnock,
      otherwise: noKnock,
      run: () => inbox.rejectKnock(),
    },
    {
      keys: ["d"],
      shown: "d",
      label: count > 1 ? `acknowledge ${count}` : "acknowledge",
      help: "moves the inbox's checkpoint behind the selected item",
      when: () => coveredEntries(inbox.state).length > 0,
      otherwise: () =>
        selectedEntry(inbox.state)
          ? "This item is acknowledged already."
          : "There is nothing to acknowledge.",
      run: () => inbox.acknowledge(),
    },
    {
      keys: ["D", "delete"],
      shown: "D",
      label: "delete",
      help: "a wire of your own, for everyone",
      when: hasOwnWire,
      otherwise: () =>
        selectedWire(inbox.state)?.sender === inbox.state.me
          ? "This wire is removed already."
          : "Only a wire of your own can be deleted: select it in its thread (Tab).",
      run: () => inbox.deleteWire(),
    },
  ];
}

function otherBindings(inbox: Inbox): KeyBinding[] {
  return [
    { keys: ["n"], shown: "n", label: "new wire", run: () => inbox.newWire() },
    { keys: ["/"], shown: "/", label: "filter", help: "the list", run: () => inbox.startFilter() },
    { keys: ["s"], shown: "s", label: "search a space", isRare: true, run: () => inbox.searchSpace() },
    {
      keys: ["m"],
      shown: "m",
      label: "more",
      help: "the next page",
      isRare: true,
      run: () => inbox.loadMore(),
    },
    {
      keys: ["f", "ctrl-r"],
      shown: "f",
      label: "update now",
      isRare: true,
      run: () => inbox.refresh(),
    },
  ];
}

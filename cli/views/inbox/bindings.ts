/** The key bindings of the inbox. */
import type { KeyBinding } from "../kit/bindings.js";
import { MOVES } from "../kit/text/list-window.js";
import type { InboxCommands } from "./commands.js";
import { countRows, coveredEntries, pendingKnock, selectedEntry, selectedWire } from "./state.js";

export function inboxBindings(commands: InboxCommands): KeyBinding[] {
  return [
    ...filterBindings(commands),
    ...paneBindings(commands),
    ...itemBindings(commands),
    ...otherBindings(commands),
  ];
}

/**
 * Returns the bindings that apply while the filter has the focus. They handle every key, because letters edit
 * the filter.
 */
function filterBindings(commands: InboxCommands): KeyBinding[] {
  const when = () => commands.state.isFiltering;
  return [
    {
      keys: ["enter", "tab"],
      shown: "Enter",
      label: "keep the filter",
      isInHelp: false,
      when,
      run: () => commands.keepFilter(),
    },
    {
      keys: ["escape"],
      shown: "Esc",
      label: "show all",
      isInHelp: false,
      when,
      run: () => commands.clearFilter(),
    },
    {
      keys: ["up", "down"],
      shown: "↑↓",
      label: "choose",
      isInHelp: false,
      when,
      run: (key) => commands.moveInList(key),
    },
    { keys: ["any"], when, run: (key) => commands.editFilter(key) },
  ];
}

/** Returns the bindings that move within a pane and between the panes. */
function paneBindings(commands: InboxCommands): KeyBinding[] {
  const inList = () => commands.state.focus === "list";
  const inThread = () => commands.state.focus === "thread";
  return [
    {
      keys: MOVES,
      shown: "↑↓",
      label: "choose",
      help: "also j k, Page Up, Page Down, Home, End",
      when: inList,
      run: (key) => commands.moveInList(key),
    },
    {
      keys: ["tab", "shift-tab", "enter", "right"],
      shown: "Tab",
      label: "thread",
      help: "also Enter and →",
      when: inList,
      run: () => commands.focus("thread"),
    },
    {
      keys: [...MOVES, " "],
      shown: "↑↓",
      label: "scroll",
      help: "in the thread, wire by wire; also Space",
      when: inThread,
      run: (key) => commands.scrollThread(key),
    },
    {
      keys: ["tab", "shift-tab", "left", "escape"],
      shown: "Tab",
      label: "list",
      help: "back from the thread; also ← and Esc",
      when: inThread,
      run: () => commands.focus("list"),
    },
    {
      keys: ["escape"],
      shown: "Esc",
      label: "show all",
      help: "ends the filter",
      when: () => commands.state.filter !== undefined,
      run: () => commands.clearFilter(),
    },
  ];
}

/** Returns the bindings that act on the selected wire or knock. */
function itemBindings(commands: InboxCommands): KeyBinding[] {
  const hasWire = () => selectedWire(commands.state) !== undefined;
  const hasKnock = () => commands.state.focus === "list" && pendingKnock(commands.state) !== undefined;
  const hasOwnWire = () => {
    const wire = selectedWire(commands.state);
    return wire !== undefined && wire.sender === commands.state.me && wire.tombstone === null;
  };
  const noWire = () => "Select a wire to reply to. To write to anyone else: n";
  const noKnock = () => {
    const item = selectedEntry(commands.state)?.item;
    return item?.kind === "knock" && commands.state.focus === "list"
      ? `This knock is ${item.knock.status} already.`
      : "Select a knock in the list to answer it.";
  };
  const count = countRows(coveredEntries(commands.state));
  return [
    {
      keys: ["r"],
      shown: "r",
      label: "reply",
      help: "with text, a payload, or both",
      when: hasWire,
      otherwise: noWire,
      run: () => commands.reply("text"),
    },
    {
      keys: ["p"],
      shown: "p",
      label: "reply with a payload",
      isRare: true,
      when: hasWire,
      otherwise: noWire,
      run: () => commands.reply("payload"),
    },
    {
      keys: ["a"],
      shown: "a",
      label: "accept",
      help: "a knock: both become contacts",
      when: hasKnock,
      otherwise: noKnock,
      run: () => commands.acceptKnock(),
    },
    {
      keys: ["x"],
      shown: "x",
      label: "reject",
      help: "a knock",
      when: hasKnock,
      otherwise: noKnock,
      run: () => commands.rejectKnock(),
    },
    {
      keys: ["d"],
      shown: "d",
      label: count > 1 ? `acknowledge ${count}` : "acknowledge",
      help: "moves the inbox's checkpoint behind the selected item",
      when: () => coveredEntries(commands.state).length > 0,
      otherwise: () =>
        selectedEntry(commands.state)
          ? "This item is acknowledged already."
          : "There is nothing to acknowledge.",
      run: () => commands.acknowledge(),
    },
    {
      keys: ["D", "delete"],
      shown: "D",
      label: "delete",
      help: "a wire of your own, for everyone",
      when: hasOwnWire,
      otherwise: () =>
        selectedWire(commands.state)?.sender === commands.state.me
          ? "This wire is removed already."
          : "Only a wire of your own can be deleted: select it in its thread (Tab).",
      run: () => commands.deleteWire(),
    },
  ];
}

function otherBindings(commands: InboxCommands): KeyBinding[] {
  return [
    { keys: ["n"], shown: "n", label: "new wire", run: () => commands.newWire() },
    { keys: ["/"], shown: "/", label: "filter", help: "the list", run: () => commands.startFilter() },
    { keys: ["s"], shown: "s", label: "search a space", isRare: true, run: () => commands.searchSpace() },
    {
      keys: ["m"],
      shown: "m",
      label: "more",
      help: "the next page",
      isRare: true,
      run: () => commands.loadMore(),
    },
    {
      keys: ["f", "ctrl-r"],
      shown: "f",
      label: "update now",
      isRare: true,
      run: () => commands.refresh(),
    },
  ];
}

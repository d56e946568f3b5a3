/** The keys of the inbox, for its foot and its help. */
import type { KeyHelp } from "../kit/foot.js";
import { type InboxState, selectedKnock } from "./state.js";

const LIST: readonly KeyHelp[] = [
  { keys: "↑↓", does: "choose", more: "also j k, Page Up, Page Down, Home, End" },
  { keys: "Tab", does: "thread", more: "and back; also Enter, → and ←" },
];
const THREAD: readonly KeyHelp[] = [
  { keys: "↑↓", does: "read on", more: "wire by wire; also j k, Space, Page Up, Page Down" },
  { keys: "Tab", does: "list" },
];
const REPLY: readonly KeyHelp[] = [
  { keys: "r", does: "reply", more: "with text, a payload, or both" },
  { keys: "p", does: "reply with a payload", rare: true },
];
const KNOCK: readonly KeyHelp[] = [
  { keys: "a", does: "accept", more: "a knock: both become contacts" },
  { keys: "x", does: "reject", more: "a knock" },
];
const DEAL: KeyHelp = {
  keys: "d",
  does: "dealt with",
  more: "moves the inbox's checkpoint behind the selected item",
};
const OTHERS: readonly KeyHelp[] = [
  { keys: "n", does: "new wire" },
  { keys: "/", does: "find", more: "in the list" },
  { keys: "D", does: "delete", more: "a wire of your own, for everyone", rare: true },
  { keys: "s", does: "search a space", rare: true },
  { keys: "m", does: "more", more: "the next page", rare: true },
  { keys: "u", does: "update now", rare: true },
];

/** Those that make sense now, for the foot. */
export function footKeys(state: InboxState): KeyHelp[] {
  if (state.isFiltering)
    return [
      { keys: "Enter", does: "keep" },
      { keys: "Esc", does: "show all" },
    ];
  if (state.focus === "thread") return [...THREAD, ...REPLY, { keys: "D", does: "delete" }, ...OTHERS];
  return [...LIST, ...(selectedKnock(state)?.status === "pending" ? KNOCK : REPLY), DEAL, ...OTHERS];
}

/** All of them, for the help. */
export const ALL_KEYS: readonly KeyHelp[] = [...LIST, ...REPLY, ...KNOCK, DEAL, ...OTHERS];

import { signal } from "@preact/signals";

/**
 * The inbox items that are new for the acting handle's agent: those in `keys`, which has at most one page,
 * and all items whose time is after `later`.
 */
interface Unread {
  keys: ReadonlySet<string>;
  later: string;
}

/** Times begin with a digit, so none is later than "~". */
export const NONE_UNREAD: Unread = { keys: new Set(), later: "~" };

export const unread = signal(NONE_UNREAD);

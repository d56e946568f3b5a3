import { signal } from "@preact/signals";

/**
 * What is new for the acting handle's agent: the keys of at most one page of inbox items. Items with a later
 * time are also new.
 */
interface Unread {
  keys: ReadonlySet<string>;
  later: string;
}

/** Times begin with a digit, so none is later than "~". */
export const NONE_UNREAD: Unread = { keys: new Set(), later: "~" };

export const unread = signal(NONE_UNREAD);

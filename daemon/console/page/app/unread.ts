import { signal } from "@preact/signals";

/**
 * What is new for the acting handle's agent: the keys of at most one page of inbox items. Items with a later
 * time are also new.
 */
export const unread = signal<{ keys: ReadonlySet<string>; later: string }>({ keys: new Set(), later: "~" });

import { signal } from "@preact/signals";

/** Keys of the acting handle's inbox items that are new for its agent. At most one page of the inbox. */
export const unread = signal<ReadonlySet<string>>(new Set());

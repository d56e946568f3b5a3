import { signal } from "@preact/signals";

/** The counts that the navigation shows beside its sections: a number, or text such as `100+`. */
interface Badges {
  readonly approvals?: number;
  readonly [section: string]: number | string | undefined;
}

export const badges = signal<Badges>({});

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

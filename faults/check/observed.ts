/** The content of a service, as it is read over HTTP or from a database file. */

export interface ObservedWire {
  id: string;
  /** The first word of the text; undefined if the wire is removed. */
  name: string | undefined;
  votes?: number;
  claim?: ObservedClaim;
}

export interface ObservedClaim {
  attempt: number;
  isDone: boolean;
  /** When the claim expires, in milliseconds since 1970; 0 if the wire is open or done. */
  until: number;
}

export interface ObservedInbox {
  /** Oldest first. */
  wires: ObservedWire[];
  /** The ids of removed wires, oldest notice first. */
  notices: string[];
  spaceNotices: { id: string; reason: "mention" | "reply" }[];
  /** The decisions on held wires. */
  decisions: { id: string; status: string }[];
  /** Number of items before the stored checkpoint. */
  checkpoint: number;
  /** When the checkpoint was read. Reading the inbox moves it. */
  readAt: number;
}

export interface Observed {
  inboxes: Map<string, ObservedInbox>;
  /** The wires of each space, oldest first. */
  feeds: Map<string, ObservedWire[]>;
  /** Number of wires that count against the daily limit of each agent. */
  counted: Map<string, number>;
  /** Ids that a search of a space for a word returns, by `space word`. */
  found: Map<string, string[]>;
}

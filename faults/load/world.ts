/** The agents and spaces of a load. */
import type { Random } from "../../bench/data/random.js";
import type { Http } from "./http.js";
import type { Ledger } from "./ledger.js";

export interface Agent {
  slug: string;
  key: string;
  /** The cursor at the end of its inbox when the load began. */
  start: string;
  /** Number of items in its inbox before that. */
  itemsBefore: number;
  /** Whether its wires are held until a human has decided on them. */
  isHeld: boolean;
}

/** A space in which wires are removed, one in which they are voted for, and one in which they are claimed. */
export const SPACES = { talk: "talk", ballot: "ballot", queue: "queue" } as const;

/** Claims are short, so that many of them expire. */
export const LONGEST_CLAIM_S = 4;

export interface World {
  agents: readonly Agent[];
  /** The ID token of the human who owns the agents. */
  human: string;
  /** Whether wires mention handles and reply, one agent's wires are held, and agents work on the queue. */
  hasNotices: boolean;
  ledger: Ledger;
  http: Http;
  random: Random;
  /** Limit on wires in a minute for each agent; undefined if there is none. */
  perMinute: number | undefined;
  /**
   * Number of wires that were old when the load began. The ledger does not know them, because no read returns
   * them.
   */
  oldWires: number;
  /** Whether the clock jumps, so that claims may expire early or, for up to a day, late. */
  clockJumps: boolean;
}

/** Limit on wires in a day. It is never reached, but counts every stored wire. */
export const PER_DAY = 1_000_000;

const DAY_MS = 86_400_000;
/** Longer than the clock jumps, so that no wire of the load expires. */
const RETAIN_DAYS = 3;
/** Age of an old wire: longer than the retention and the minute after which the daemon deletes the wire. */
export const OLD_AFTER_MS = (RETAIN_DAYS + 1) * DAY_MS;

/** Returns the time in milliseconds since 1970 before which a wire is old. */
export function oldBefore(): number {
  return Date.now() - RETAIN_DAYS * DAY_MS;
}

/** Returns the flags of the daemon for a world with this limit. */
export function daemonFlags(perMinute: number | undefined): string[] {
  // All agents are of one account.
  const limits = [
    `wires_per_minute=${perMinute ?? "none"}`,
    `wires_per_day=${PER_DAY}`,
    "mentions_per_hour=none",
    "audited_per_minute=none",
    "account_factor=none",
  ];
  const flags = limits.flatMap((limit) => ["--limit", limit]);
  return [...flags, "--retain", String(RETAIN_DAYS), "--log-level", "warn"];
}

/**
 * The handles, spaces, keys and schemas that every benchmark database contains, regardless of its number of
 * wires.
 */
import { createHash } from "node:crypto";
import { KEY_PREFIX } from "../../src/kernel/ids.js";
import { MOST_FREQUENT_WORD, wordOf } from "./text.js";

/** Number of handles: `agent-0`, `agent-1` … */
export const AGENTS = 1_000;
/**
 * The first agents, which have `READER_WIRES` DMs each, `UNREAD` of them unread. All other agents have no
 * unread items.
 */
export const READERS = 10;
export const READER_WIRES = 100;
export const UNREAD = 50;

/** Number of spaces: `space-0`, `space-1` … The first three have special roles. */
export const SPACES = 200;
/** The space that has `FIXED_WIRES` wires in every database, evenly distributed over time. */
export const FIXED_SPACE = 0;
export const FIXED_WIRES = 1_000;
/** The space that has a fixed share of all wires. */
export const BIG_SPACE = 1;
/** The space that accepts payloads of the schema `QUOTE_SUBJECT`. */
export const QUOTE_SPACE = 2;
export const QUOTE_SUBJECT = "@agent-0/quote";
/** Number of replies to the first wire of the fixed space. They are among its wires. */
export const THREAD_REPLIES = 200;
/** A word that occurs in every wire of the fixed space and in most other wires. */
export const COMMON_WORD = MOST_FREQUENT_WORD;

/** The second most frequent word. */
export const SECOND_WORD = wordOf(1);
/**
 * A word in the bio of every `LISTED_EVERY`-th agent, whom the switchboard lists. Only growing databases list
 * agents.
 */
export const LISTED_WORD = "locksmith";
export const LISTED_EVERY = 100;
/**
 * A word that occurs in every `RARE_EVERY`-th wire of the fixed space, and in no other wire. Only growing
 * databases contain it.
 */
export const RARE_WORD = "quixotry";
export const RARE_EVERY = 50;

/** The distribution of the wires in a database of any size. */
export interface Distribution {
  /** Number of agents that send and receive wires. */
  agents: number;
  /** The share of the big space. */
  bigShare: number;
  /**
   * Whether everything that a reader reads has the same size in every database: the readers sent the wires of
   * the fixed space, and no others.
   */
  isGrowing: boolean;
}

export const STANDARD: Distribution = { agents: AGENTS, bigShare: 0.2, isGrowing: false };
/** For `npm run bench:growth`: ten times as many handles, and a space with half of all wires. */
export const GROWING: Distribution = { agents: 10_000, bigShare: 0.5, isGrowing: true };

export const slugOf = (agent: number) => `agent-${agent}`;
export const spaceSlugOf = (space: number) => `space-${space}`;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns the API key of an agent, which is the same in every database. */
export function keyOf(agent: number): string {
  const bytes = createHash("sha512").update(`benchmark key ${agent}`).digest().subarray(0, 43);
  return KEY_PREFIX + [...bytes].map((byte) => BASE62[byte % 62]).join("");
}

/** Returns a UUIDv7 that is the same in every run. */
export function idOf(kind: string, number: number, at: number): string {
  const time = at.toString(16).padStart(12, "0");
  const rest = createHash("md5").update(`${kind} ${number}`).digest("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}

export const QUOTE_SCHEMA = {
  type: "object",
  properties: {
    item: { type: "string", minLength: 1, maxLength: 200 },
    price: { type: "number", minimum: 0 },
    currency: { enum: ["EUR", "USD", "JPY"] },
    quantity: { type: "integer", minimum: 1, maximum: 10_000 },
    delivery: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer", minimum: 0 } },
      required: ["city"],
    },
  },
  required: ["item", "price", "currency"],
  additionalProperties: false,
};

/** The handles, spaces, keys and schemas that every benchmark database contains, regardless of its number of wires. */
import { createHash } from "node:crypto";
import { KEY_PREFIX } from "../../src/kernel/ids.js";
import { MOST_FREQUENT_WORD } from "./text.js";

/** Number of handles: `agent-0`, `agent-1` … */
export const AGENTS = 1_000;
/** The first agents, which have 100 DMs each, 50 of them unread. All other agents have no unread items. */
export const READERS = 10;
export const READER_WIRES = 100;
export const UNREAD = 50;

/** Number of spaces: `space-0`, `space-1` … The first three have special roles. */
export const SPACES = 200;
/** The space that has `FIXED_WIRES` wires in every database, evenly distributed over time. */
export const FIXED_SPACE = 0;
export const FIXED_WIRES = 1_000;
/** The space that has a fifth of all wires. */
export const BIG_SPACE = 1;
export const BIG_SHARE = 0.2;
/** The space that accepts payloads of the schema `QUOTE_SUBJECT`. */
export const QUOTE_SPACE = 2;
export const QUOTE_SUBJECT = "@agent-0/quote";
/** Number of replies to the first wire of the fixed space. They are among its wires. */
export const THREAD_REPLIES = 200;
/** A word that occurs in every wire of the fixed space and in most other wires. */
export const COMMON_WORD = MOST_FREQUENT_WORD;

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

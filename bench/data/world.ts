/** Who and what there is in every database of the benchmarks, whatever its number of wires. */
import { createHash } from "node:crypto";
import { KEY_PREFIX } from "../../src/kernel/ids.js";
import { EVERYWHERE } from "./text.js";

/** Handles `agent-0` and so on. */
export const AGENTS = 1_000;
/** The first of them have 100 DMs each, of which 50 are unread; everyone else's inbox is read to its end. */
export const READERS = 10;
export const READER_WIRES = 100;
export const UNREAD = 50;

/** Spaces `space-0` and so on; the first three have parts of their own. */
export const SPACES = 200;
/** Holds `FIXED_WIRES` wires in every database, spread over it from end to end. */
export const FIXED_SPACE = 0;
export const FIXED_WIRES = 1_000;
/** Holds a fifth of all wires. */
export const BIG_SPACE = 1;
export const BIG_SHARE = 0.2;
/** Takes payloads under `QUOTE_SUBJECT`. */
export const QUOTE_SPACE = 2;
export const QUOTE_SUBJECT = "@agent-0/quote";
/** Replies to the first wire of the fixed space, which are among its wires. */
export const THREAD_REPLIES = 200;
/** In every wire of the fixed space, and in most others. */
export const COMMON_WORD = EVERYWHERE;

export const slugOf = (agent: number) => `agent-${agent}`;
export const spaceSlugOf = (space: number) => `space-${space}`;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The API key of an agent: the same in every database. */
export function keyOf(agent: number): string {
  const bytes = createHash("sha512").update(`benchmark key ${agent}`).digest().subarray(0, 43);
  return KEY_PREFIX + [...bytes].map((byte) => BASE62[byte % 62]).join("");
}

/** A UUIDv7 of a time that is the same in every run. */
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

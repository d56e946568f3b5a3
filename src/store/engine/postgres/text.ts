/**
 * U+0000, which PostgreSQL's text cannot hold. It is stored as U+FFFF and a digit, and so is U+FFFF itself, a code point
 * that is no character and that next to no text holds. Every text goes through here on its way in and out, so nothing
 * else need know of it.
 */
const ESCAPE = "\uffff";

export function toStored(text: string): string {
  if (!text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll("\0", `${ESCAPE}0`);
}

export function fromStored(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(/\uffff([01])/g, (_pair, digit) => (digit === "1" ? ESCAPE : "\0"));
}

/**
 * Escapes text parameters and unescapes text results, because PostgreSQL cannot store U+0000. U+0000 becomes
 * U+FFFF followed by `0`, and U+FFFF becomes U+FFFF followed by `1`.
 */
const ESCAPE = "\uffff";

export function escapeNul(text: string): string {
  if (!text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll("\0", `${ESCAPE}0`);
}

export function unescapeNul(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replace(/\uffff([01])/g, (_pair, digit) => (digit === "1" ? ESCAPE : "\0"));
}

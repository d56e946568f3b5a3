/**
 * UTF-16 code units of a wire that can be searched: its whole text (8,192 at most) and what of the payload follows
 * up to here. A payload may hold 256 KiB of strings, and analysis runs on the event loop: 64 KiB take some
 * tens of milliseconds.
 */
export const SEARCHABLE_LENGTH = 65_536;

/**
 * What a search of wires looks at: the text, then the strings within the payload in document order (keys are not
 * searched), each on a line of its own. The same on both engines.
 */
export function searchableText(text: string | null, payload: unknown): string {
  // Joined once, as looking at the characters of a text that was appended to takes longer.
  const lines = [text ?? ""];
  let length = lines[0]!.length;
  const pending: unknown[] = [payload];
  while (pending.length > 0 && length < SEARCHABLE_LENGTH) {
    const value = pending.pop();
    if (typeof value === "string") {
      lines.push(value);
      length += value.length + 1;
    } else if (typeof value === "object" && value !== null) {
      for (const inner of Object.values(value).reverse()) pending.push(inner);
    }
  }
  return lines.join("\n").slice(0, SEARCHABLE_LENGTH);
}

/**
 * The words of a text and nothing else. What the switchboard matches is made of names, such as `data-cleaner` and
 * `@alice/price-quote`, and is to be found by the words within: so both the names and `q` are taken apart first.
 */
export function plainWords(text: string): string {
  return text.replace(/[^\p{Alphabetic}\p{M}\p{Nd}]+/gu, " ");
}

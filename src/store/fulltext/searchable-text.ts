/**
 * Maximum length of a wire's searchable text, because a longer text would block the event loop. The wire's
 * own text comes first and always fits.
 */
export const MAX_SEARCHABLE_LENGTH = 65_536;

/**
 * Returns the wire's text and all string values of its payload, one per line. The payload's keys are not
 * searchable.
 */
export function searchableText(text: string | null, payload: unknown): string {
  // Join the lines at the end, because V8 reads a concatenated string's characters more slowly.
  const lines = [text ?? ""];
  let length = lines[0]!.length;
  const pending: unknown[] = [payload];
  while (pending.length > 0 && length < MAX_SEARCHABLE_LENGTH) {
    const value = pending.pop();
    if (typeof value === "string") {
      lines.push(value);
      length += value.length + 1;
    } else if (typeof value === "object" && value !== null) {
      for (const inner of Object.values(value).reverse()) pending.push(inner);
    }
  }
  return lines.join("\n").slice(0, MAX_SEARCHABLE_LENGTH);
}

export function searchableTextOf(doc: string): string {
  const { text_body, payload } = JSON.parse(doc) as { text_body: string | null; payload: unknown };
  return searchableText(text_body, payload);
}

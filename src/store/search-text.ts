/** What of a wire full-text search finds: its text, and the strings inside its payload (decisions, section 5). */

/** Characters of payload strings that are indexed; what lies beyond is stored but not found. */
const MAX_PAYLOAD_CHARACTERS = 65_536;

export function searchText(text: string | null, payload: unknown): string {
  const parts: string[] = text === null ? [] : [text];
  if (payload !== null && payload !== undefined) {
    let left = MAX_PAYLOAD_CHARACTERS;
    collect(payload, (part) => {
      if (left > 0) parts.push(part.slice(0, left));
      left -= part.length;
    });
  }
  return parts.join("\n");
}

/** The same, of a stored wire. */
export function searchTextOf(doc: string): string {
  const wire = JSON.parse(doc) as { text_body: string | null; payload: unknown };
  return searchText(wire.text_body, wire.payload);
}

function collect(value: unknown, take: (text: string) => void): void {
  if (typeof value === "string") take(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, take);
  else if (value !== null && typeof value === "object") for (const part of Object.values(value)) collect(part, take);
}

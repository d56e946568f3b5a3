/** Formats and parses the names of handles, wires and schemas (docs/specification/names.md). */

/** The format of a slug: the unique name of a handle or space, without its prefix. */
export const SLUG_PATTERN = "^[a-z0-9-]{3,32}$";

/**
 * Returns the slug of a handle from an input, where the `@` is optional (docs/specification/names.md#signs).
 */
export function handleSlug(input: string): string {
  return input.startsWith("@") ? input.slice(1) : input;
}

export function wireUri(baseUrl: string, id: string): string {
  return `${baseUrl}/wires/${id}`;
}

export function schemaUrl(baseUrl: string, ref: string): string {
  return `${baseUrl}/schemas/${encodeURIComponent(ref)}`;
}

/** Returns the wire id of a canonical URI. Other texts are returned unchanged, and match no wire. */
export function wireId(baseUrl: string, name: string): string {
  const prefix = wireUri(baseUrl, "");
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

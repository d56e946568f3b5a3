/** Formats and parses the names of handles, wires and schemas (docs/specification/names.md). */

/** Format of a slug: the unique name of a handle or space, without the prefix `@` or `#`. */
export const SLUG_PATTERN = "^[a-z0-9-]{3,32}$";

/** Returns a handle's slug. The prefix `@` is optional in the input (docs/specification/names.md#signs). */
export function handleSlug(input: string): string {
  return input.startsWith("@") ? input.slice(1) : input;
}

export function wireUri(baseUrl: string, id: string): string {
  return `${baseUrl}/wires/${id}`;
}

export function schemaUrl(baseUrl: string, ref: string): string {
  return `${baseUrl}/schemas/${encodeURIComponent(ref)}`;
}

/**
 * Extracts the wire id from a wire's canonical URI. Returns any other text unchanged, because it may be an
 * id.
 */
export function wireId(baseUrl: string, name: string): string {
  const prefix = wireUri(baseUrl, "");
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

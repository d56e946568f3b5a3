/** Names as the service hands them out and takes them (specification, sections 1, 2.5 and 2.6). */
export const SLUG_PATTERN = "^[a-z0-9-]{3,32}$";

/** The slug of a handle as given in input, where the `@` is optional (specification, section 1). */
export function handleSlug(input: string): string {
  return input.startsWith("@") ? input.slice(1) : input;
}

export function wireUri(baseUrl: string, id: string): string {
  return `${baseUrl}/wires/${id}`;
}

export function schemaUrl(baseUrl: string, ref: string): string {
  return `${baseUrl}/schemas/${encodeURIComponent(ref)}`;
}

/** The id of a wire named by id or by its canonical URI. A URI of another service names no wire of this one. */
export function wireId(baseUrl: string, name: string): string {
  const prefix = wireUri(baseUrl, "");
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** URIs that the service hands out and takes (decisions, section 1). */

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

/** The places that the search page searches: the direct messages of a handle, and spaces by their slugs. */
import { agent } from "../../app/clients.js";

/** Not a slug, so it differs from every space. */
export const MESSAGES = "@";

/** The direct messages of all own handles. */
export const ALL_MESSAGES = "@*";

export function nameOf(place: string): string {
  if (place === ALL_MESSAGES) return "Direct messages of all my handles";
  return place === MESSAGES ? "Direct messages" : `#${place}`;
}

export function searchIn(as: string, place: string, q: string, limit: number, signal: AbortSignal) {
  if (place === MESSAGES) return agent(as).wires.search({ q, limit }, { signal });
  return agent(as).spaces.search({ slug: place, q, limit }, { signal });
}

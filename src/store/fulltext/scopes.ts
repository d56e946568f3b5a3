/**
 * The scopes in which a wire is indexed (docs/specification/reading.md#search). A search reads one scope, so
 * its time does not depend on the wires of others.
 */
import { inScope } from "./fts5.js";

export function spaceScope(space: number): string {
  return String(space);
}

/** The scope of the direct messages that a handle sent or received. */
export function messagesScope(handle: number): string {
  return `@${handle}`;
}

export interface WirePlace {
  readonly space: number | null;
  readonly sender: number;
  readonly recipient: number | null;
}

/**
 * Returns the tokens to index for a wire.
 * @param terms the result of `termsOf` for its searchable text
 */
export function wireTerms({ space, sender, recipient }: WirePlace, terms: string): string {
  if (space !== null) return inScope(spaceScope(space), terms);
  const handles = [...new Set([sender, recipient!])];
  return handles.map((handle) => inScope(messagesScope(handle), terms)).join(" ");
}

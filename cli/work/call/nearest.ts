/** Suggestions for mistyped words. */
import { closest, distance } from "fastest-levenshtein";

/** The word that is nearest to what was typed; undefined if none is near enough to be meant. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const word = closest(typed, words);
  return distance(typed, word) <= Math.max(2, Math.floor(word.length * 0.4)) ? word : undefined;
}

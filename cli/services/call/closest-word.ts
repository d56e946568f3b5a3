import { closest, distance } from "fastest-levenshtein";

export function closestWord(typed: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const word = closest(typed, words);
  return distance(typed, word) <= Math.max(2, Math.floor(word.length * 0.4)) ? word : undefined;
}

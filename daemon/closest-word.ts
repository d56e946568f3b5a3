import { closest, distance } from "fastest-levenshtein";

/** Prefers a word of which one is the start of the other: `claude` means `claude-code`. */
export function closestWord(typed: string, words: readonly string[]): string | undefined {
  const isStart = (one: string, other: string) => one.length > 2 && other.startsWith(one);
  const related = words.find((each) => isStart(typed, each) || isStart(each, typed));
  if (related !== undefined || words.length === 0) return related;
  const word = closest(typed, words);
  return distance(typed, word) <= Math.max(2, Math.floor(word.length * 0.4)) ? word : undefined;
}

/** Returns the hint that suggests the most similar word, or nothing. */
export function similarHint(typed: string, words: readonly string[], sign = ""): string[] {
  const word = closestWord(typed, words);
  return word === undefined ? [] : [`Did you mean ${sign}${word}?`];
}

import { closest, distance } from "fastest-levenshtein";

/**
 * Returns the most similar word. Prefers a word that begins with `typed`, or the reverse: `claude` means
 * `claude-code`.
 */
export function closestWord(typed: string, words: readonly string[]): string | undefined {
  const isStart = (one: string, other: string) => one.length > 1 && other.startsWith(one);
  const related = words.find((each) => isStart(typed, each) || isStart(each, typed));
  if (related !== undefined || words.length === 0) return related;
  const word = closest(typed, words);
  // Fewer changes than letters, so that `no` does not mean `on`, and `vim` does not mean `kimi`.
  const most = Math.min(word.length - 1, Math.max(typed.length > 3 ? 2 : 1, Math.floor(word.length * 0.4)));
  return distance(typed, word) <= most ? word : undefined;
}

/** Returns a hint that suggests the most similar word, or no hint if none is similar. */
export function similarHint(typed: string, words: readonly string[], sign = ""): string[] {
  const word = closestWord(typed, words);
  return word === undefined ? [] : [`Did you mean ${sign}${word}?`];
}

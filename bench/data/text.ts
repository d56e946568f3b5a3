/**
 * Generates text of invented words. Word frequencies follow Zipf's law: the first word is in nearly every
 * text.
 */
import type { Random } from "./random.js";

const VOCABULARY = 20_000;
const CONSONANTS = "bcdfghjklmnprstv";
const VOWELS = "aeiou";

/** Returns the word of a rank: three syllables, different for each rank. */
export function wordOf(rank: number): string {
  let number = ((rank + 1) * 7_919) % 1_000_003;
  let word = "";
  for (let syllable = 0; syllable < 3; syllable++) {
    word += CONSONANTS[number % 16]! + VOWELS[(number >> 4) % 5]!;
    number = Math.floor(number / 80);
  }
  return word;
}

const words = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));

/** The word that nearly every text contains. */
export const MOST_FREQUENT_WORD = wordOf(0);

/** Returns a text of at least `length` characters that ends with a complete word. */
export function textOf(random: Random, length = 200): string {
  let text = words[random.zipf(VOCABULARY)]!;
  while (text.length < length) text += ` ${words[random.zipf(VOCABULARY)]!}`;
  return text;
}

/** Text of invented words whose frequencies follow Zipf's law: the first is nearly everywhere, most are rare. */
import type { Random } from "./random.js";

const VOCABULARY = 20_000;
const CONSONANTS = "bcdfghjklmnprstv";
const VOWELS = "aeiou";

/** The word of a rank; three syllables, distinct for distinct ranks. */
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

/** The word that nearly every text holds. */
export const EVERYWHERE = wordOf(0);

/** At least `length` characters, ending with a whole word. */
export function textOf(random: Random, length = 200): string {
  let text = words[random.zipf(VOCABULARY)]!;
  while (text.length < length) text += ` ${words[random.zipf(VOCABULARY)]!}`;
  return text;
}

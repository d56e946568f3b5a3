/**
 * Porter's second English stemmer, as published: https://snowballstem.org/algorithms/english/stemmer.html (Martin
 * Porter, BSD). Left out is what concerns apostrophes: no token holds one. The version is that before Snowball 3.0,
 * which PostgreSQL 15 has.
 */

/** Whole words that the rules would get wrong. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  rules(
    `skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli
    singly:singl sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes`,
  ),
);

/** Words that stay as step 1a leaves them. */
const INVARIANT_AFTER_1A = /^(?:inning|outing|canning|herring|earring|proceed|exceed|succeed)$/;

/** `Y` marks a y that is a consonant. */
const VOWEL = /[aeiouy]/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
/** A vowel between consonants, the last of them not w, x or Y; or a vowel that begins the word, then a consonant. */
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;

/** Suffix and replacement, the longer suffixes first where one ends with another. */
type Rules = readonly (readonly [suffix: string, replacement: string])[];

const STEP_2: Rules = rules(
  `ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less entli:ent
  ation:ate alism:al aliti:al ousli:ous iviti:ive fulli:ful enci:ence anci:ance abli:able izer:ize ator:ate alli:al
  bli:ble ogi:og li:`,
);
const STEP_3: Rules = rules(`ational:ate tional:tion alize:al icate:ic iciti:ic ative: ical:ic ness: ful:`);
const STEP_4: Rules = rules(
  `ement: ance: ence: able: ible: ment: ant: ent: ism: ate: iti: ous: ive: ize: ion: al: er: ic:`,
);

/** The stem of a lower-case word. Words of one or two letters stay. */
export function stem(word: string): string {
  if (word.length <= 2) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;

  const marked = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const r1 = regionOne(marked);
  const r2 = regionAfter(marked, r1);

  let stemmed = step1a(marked);
  if (INVARIANT_AFTER_1A.test(stemmed)) return stemmed;
  stemmed = step1c(step1b(stemmed, r1));
  stemmed = step2(stemmed, r1);
  stemmed = step3(stemmed, r1, r2);
  stemmed = step4(stemmed, r2);
  return step5(stemmed, r1, r2).replaceAll("Y", "y");
}

/** Where R1 begins: after the first consonant that follows a vowel, but for three beginnings that are cut too early. */
function regionOne(word: string): number {
  const irregular = /^(?:gener|commun|arsen)/.exec(word);
  return irregular ? irregular[0].length : regionAfter(word, 0);
}

function regionAfter(word: string, from: number): number {
  let at = from;
  while (at < word.length && !isVowel(word, at)) at++;
  while (at < word.length && isVowel(word, at)) at++;
  return Math.min(at + 1, word.length);
}

function isVowel(word: string, at: number): boolean {
  return VOWEL.test(word.charAt(at));
}

function step1a(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word) || !word.endsWith("s")) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const found = /(?:eed|eedly|ed|edly|ing|ingly)$/.exec(word);
  if (!found) return word;
  const base = word.slice(0, found.index);
  if (found[0].startsWith("ee")) return found.index >= r1 ? `${base}ee` : word;
  if (!VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (DOUBLE.test(base)) return base.slice(0, -1);
  return r1 >= base.length && SHORT_SYLLABLE.test(base) ? `${base}e` : base;
}

function step1c(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

function step2(word: string, r1: number): string {
  return replaceSuffix(word, STEP_2, r1, (suffix, base) => {
    if (suffix === "ogi") return base.endsWith("l");
    return suffix !== "li" || /[cdeghkmnrt]$/.test(base);
  });
}

function step3(word: string, r1: number, r2: number): string {
  return replaceSuffix(word, STEP_3, r1, (suffix, base) => suffix !== "ative" || base.length >= r2);
}

function step4(word: string, r2: number): string {
  return replaceSuffix(word, STEP_4, r2, (suffix, base) => suffix !== "ion" || /[st]$/.test(base));
}

function step5(word: string, r1: number, r2: number): string {
  const base = word.slice(0, -1);
  if (word.endsWith("e")) {
    const dropped = base.length >= r2 || (base.length >= r1 && !SHORT_SYLLABLE.test(base));
    return dropped ? base : word;
  }
  return word.endsWith("ll") && base.length >= r2 ? base : word;
}

/** Only the longest suffix counts: when it is not in the region, or not allowed, no shorter one is tried. */
function replaceSuffix(
  word: string,
  table: Rules,
  region: number,
  allowed: (suffix: string, base: string) => boolean,
): string {
  const rule = table.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const [suffix, replacement] = rule;
  const base = word.slice(0, word.length - suffix.length);
  return base.length >= region && allowed(suffix, base) ? base + replacement : word;
}

function rules(table: string): Rules {
  return table.split(/\s+/).map((rule) => {
    const [suffix = "", replacement = ""] = rule.split(":");
    return [suffix, replacement];
  });
}

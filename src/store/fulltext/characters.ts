/**
 * Classifies characters to find words, like PostgreSQL 15 with the encoding UTF-8 and `lc_ctype` C.UTF-8. A
 * comparison of all code points found only differences between Unicode versions.
 *
 * Positions count UTF-16 code units. Both halves of a surrogate pair have the class of their character, so
 * code that skips characters of one class never splits a pair.
 */

/** Class bit for letters of all scripts. Digits other than 0 to 9 also have this bit. */
export const LETTER = 1;
export const DIGIT = 2;
export const ASCII = 4;
/**
 * Class bit for characters that can continue a word but not start one, such as combining accents and vowel
 * signs.
 */
export const MARK = 8;
export const SPACE = 16;
/** Class bit for characters that are allowed in the path of a URL: those of RFC 3986, and brackets. */
export const URL = 32;
/**
 * Class bit for punctuation that can start a token, such as `-` of a number, `&` of an HTML entity, or `<` of
 * a tag.
 */
export const TOKEN_START = 64;

export const ALNUM = LETTER | DIGIT;
export const WORD = LETTER | DIGIT | MARK;

const asciiClasses = Uint8Array.from({ length: 128 }, (_, code) => classOfAscii(String.fromCharCode(code)));

/** Caches the classes of characters outside ASCII. The bit `CACHED` marks entries that have been computed. */
const otherClasses = new Uint8Array(0x10000);
const CACHED = 128;

/**
 * Returns the class bits of the character at `at`. Returns 0 for punctuation and for positions past the end.
 */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (asciiClasses[code] ?? 0) : otherClassAt(text, at, code);
}

export function isAsciiLetterAt(text: string, at: number): boolean {
  const lower = text.charCodeAt(at) | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function otherClassAt(text: string, at: number, code: number): number {
  if (Number.isNaN(code)) return 0;
  if (code >= 0xd800 && code <= 0xdfff) return classOfOther(surrogatePairAt(text, at));
  let found = otherClasses[code] ?? 0;
  if (found === 0) {
    found = CACHED | classOfOther(String.fromCharCode(code));
    otherClasses[code] = found;
  }
  return found & ~CACHED;
}

/**
 * Converts a text to lower case without changing its length. `toLowerCase` converts a dotted capital I to two
 * characters, and a sigma at the end of a word to another character.
 */
export function lowerCase(text: string): string {
  return text.replace(/[\u0130\u03a3]/g, (char) => (char === "\u0130" ? "i" : "\u03c3")).toLowerCase();
}

function classOfAscii(char: string): number {
  const url = /[!-~]/.test(char) && !/["<>\\^`{|}]/.test(char) ? URL : 0;
  if (/[A-Za-z]/.test(char)) return LETTER | ASCII | url;
  if (/[0-9]/.test(char)) return DIGIT | ASCII | url;
  if (/[-+&/<]/.test(char)) return TOKEN_START | url;
  return /[\t-\r ]/.test(char) ? SPACE : url;
}

function classOfOther(char: string): number {
  if (/^[\p{Alphabetic}\p{Nd}]/u.test(char)) return LETTER;
  if (/^\p{M}/u.test(char)) return MARK;
  return /^[\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/.test(char) ? SPACE : 0;
}

function surrogatePairAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  return code <= 0xdbff ? text.slice(at, at + 2) : text.slice(Math.max(0, at - 1), at + 1);
}

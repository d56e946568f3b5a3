/**
 * How characters are classed for finding words: as PostgreSQL 15 does in a UTF-8 database whose `lc_ctype` is
 * C.UTF-8. The sets were compared with it for every code point; they differ only where one side knows a newer Unicode.
 *
 * Positions are UTF-16 code units. Both halves of a surrogate pair have the class of the character that they form, so
 * code that steps over equal classes never splits one.
 */

/** Bits of a class. A letter may be of any script; digits are 0 to 9, the digits of other scripts count as letters. */
export const LETTER = 1;
export const DIGIT = 2;
export const ASCII = 4;
/** Continues a word and does not begin one: combining accents, vowel signs. */
export const MARK = 8;
export const SPACE = 16;
/** May stand in the path of a URL (RFC 3986, and brackets). */
export const URL = 32;

export const ALNUM = LETTER | DIGIT;
export const WORD = LETTER | DIGIT | MARK;

const classes = new Uint8Array(0x10000);
const KNOWN = 128;

for (let code = 0; code < 128; code++) classes[code] = KNOWN | classOfAscii(String.fromCharCode(code));

/** The class of the character at `at`; 0 for punctuation, and past the end. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // Past the end the code is NaN, and the lookup undefined.
  const known = classes[code];
  if (known === undefined) return 0;
  if (known !== 0) return known & ~KNOWN;
  if (code >= 0xd800 && code <= 0xdfff) return classOfOther(surrogatePairAt(text, at));
  const found = classOfOther(String.fromCharCode(code));
  classes[code] = KNOWN | found;
  return found;
}

/**
 * Lower case, one character for one: without the two rules of JavaScript that depend on the context or change the
 * length (a final sigma, a dotted capital I).
 */
export function lowerCase(text: string): string {
  return text.replace(/[\u0130\u03a3]/g, (char) => (char === "\u0130" ? "i" : "\u03c3")).toLowerCase();
}

function classOfAscii(char: string): number {
  const url = /[!-~]/.test(char) && !/["<>\\^`{|}]/.test(char) ? URL : 0;
  if (/[A-Za-z]/.test(char)) return LETTER | ASCII | url;
  if (/[0-9]/.test(char)) return DIGIT | ASCII | url;
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

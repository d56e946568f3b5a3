/**
 * Checks the characters of international host names against IDNA2008. UTS 46 omits these checks to stay
 * compatible with IDNA2003.
 */

/**
 * Code points that are valid or disallowed regardless of their Unicode properties (RFC 5892, section 2.6).
 */
const VALID = /^[\u06fd\u06fe\u0f0b\u3007]$/u;
const DISALLOWED = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]$/u;
/** The hyphen, and the code points that RFC 5892, section 2.1 calls LetterDigits. */
const LETTER_OR_DIGIT = /^[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}-]$/u;
/**
 * Blocks of disallowed code points: marks for symbols, musical notation and conjoining Hangul (RFC 5892,
 * sections 2.4 and 2.9).
 */
const IGNORABLE_BLOCKS = /^[\u20d0-\u20ff\u{1d100}-\u{1d24f}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/u;

/**
 * Code points that are valid only in certain contexts (RFC 5892, appendices A.3 to A.9). The joiners are
 * always accepted here, because UTS 46 checks their context.
 */
const CONTEXTS: [RegExp, (before: string, label: string, after: string) => boolean][] = [
  [/[\u200c\u200d]/u, () => true],
  [/\u00b7/u, (before, _label, after) => before.endsWith("l") && after.startsWith("l")],
  [/\u0375/u, (_before, _label, after) => /^\p{Script=Greek}/u.test(after)],
  [/[\u05f3\u05f4]/u, (before) => /\p{Script=Hebrew}$/u.test(before)],
  [/\u30fb/u, (_before, label) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)],
  [/[\u0660-\u0669]/u, (_before, label) => !/[\u06f0-\u06f9]/u.test(label)],
  [/[\u06f0-\u06f9]/u, (_before, label) => !/[\u0660-\u0669]/u.test(label)],
];

/**
 * Returns whether each code point of a label is valid at its position (RFC 5892). Call it only with labels
 * that have passed the UTS 46 checks.
 */
export function hasValidCodePoints(label: string): boolean {
  let at = 0;
  for (const char of label) {
    const context = CONTEXTS.find(([chars]) => chars.test(char))?.[1];
    const after = at + char.length;
    if (!(context?.(label.slice(0, at), label, label.slice(after)) ?? isValid(char))) return false;
    at = after;
  }
  return true;
}

function isValid(char: string): boolean {
  if (VALID.test(char)) return true;
  return LETTER_OR_DIGIT.test(char) && !DISALLOWED.test(char) && !IGNORABLE_BLOCKS.test(char);
}

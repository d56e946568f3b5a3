/** What IDNA2008 forbids in a label and UTS 46, for the sake of IDNA2003, allows. */

/** RFC 5892, 2.6: code points that are valid, or not, whatever their properties say. */
const VALID = /^[\u06fd\u06fe\u0f0b\u3007]$/u;
const DISALLOWED = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]$/u;
/** RFC 5892, 2.1. */
const LETTER_OR_DIGIT = /^[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}-]$/u;
/** RFC 5892, 2.4 and 2.9: marks for symbols, musical notation, conjoining Hangul. */
const IGNORABLE_BLOCKS = /^[\u20d0-\u20ff\u{1d100}-\u{1d24f}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/u;

/** RFC 5892, appendices A.3 to A.9: where the code points that need a context may stand. UTS 46 checks the joiners. */
const CONTEXTS: [RegExp, (before: string, label: string, after: string) => boolean][] = [
  [/[\u200c\u200d]/u, () => true],
  [/\u00b7/u, (before, _label, after) => before.endsWith("l") && after.startsWith("l")],
  [/\u0375/u, (_before, _label, after) => /^\p{Script=Greek}/u.test(after)],
  [/[\u05f3\u05f4]/u, (before) => /\p{Script=Hebrew}$/u.test(before)],
  [/\u30fb/u, (_before, label) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)],
  [/[\u0660-\u0669]/u, (_before, label) => !/[\u06f0-\u06f9]/u.test(label)],
  [/[\u06f0-\u06f9]/u, (_before, label) => !/[\u0660-\u0669]/u.test(label)],
];

/** Whether each code point of a label that UTS 46 accepts is also valid under RFC 5892 where it stands. */
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

/** RFC 5892, 2.6: code points that are valid, or not, whatever their properties say. */
const VALID = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/u;
const DISALLOWED = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]$/u;
const IN_CONTEXT = /^[\u00b7\u0375\u05f3\u05f4\u30fb\u0660-\u0669\u06f0-\u06f9\u200c\u200d]$/u;
/** RFC 5892, 2.3. */
const IGNORABLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}]$/u;
/** RFC 5892, 2.4 and 2.9: marks for symbols, musical notation, conjoining Hangul. */
const IGNORABLE_BLOCKS = [
  [0x20d0, 0x20ff],
  [0x1d100, 0x1d24f],
  [0x1100, 0x11ff],
  [0xa960, 0xa97f],
  [0xd7b0, 0xd7ff],
] as const;
const LETTER_OR_DIGIT = /^[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]$/u;

/** The code points of canonical combining class 9, which JavaScript's `\p` does not know. */
const VIRAMA =
  "\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba\\u0f84\\u1039\\u103a\\u1714\\u1734\\u17d2" +
  "\\u1a60\\u1b44\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f\\ua806\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed\\u{10a3f}\\u{11046}\\u{1107f}\\u{110b9}\\u{11133}" +
  "\\u{11134}\\u{111c0}\\u{11235}\\u{112ea}\\u{1134d}\\u{11442}\\u{114c2}\\u{115bf}\\u{1163f}\\u{116b6}\\u{1172b}\\u{11839}\\u{119e0}" +
  "\\u{11a34}\\u{11a47}\\u{11a99}\\u{11c3f}\\u{11d44}\\u{11d45}\\u{11d97}";
/** Arabic letters that join to the right only, so that nothing after them can be kept from joining. */
const RIGHT_JOINING =
  "\\u0622-\\u0625\\u0627\\u0629\\u062f-\\u0632\\u0648\\u0671-\\u0673\\u0675-\\u0677\\u0688-\\u0699\\u06c0\\u06c3-\\u06cb\\u06cd\\u06cf\\u06d2\\u06d3\\u06d5\\u06ee\\u06ef";
const JOINING = "[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Nko}\\p{Script=Mongolian}]";

const AFTER_VIRAMA = new RegExp(`[${VIRAMA}]$`, "u");
const AFTER_JOINING = new RegExp(`(?![${RIGHT_JOINING}])${JOINING}\\p{Mn}*$`, "u");
const BEFORE_JOINING = new RegExp(`^\\p{Mn}*${JOINING}`, "u");

/** RFC 5892, appendix A: where the code points that need a context may stand. */
const CONTEXTS: [RegExp, (before: string, label: string, after: string) => boolean][] = [
  [
    /\u200c/u,
    (before, _label, after) =>
      AFTER_VIRAMA.test(before) || (AFTER_JOINING.test(before) && BEFORE_JOINING.test(after)),
  ],
  [/\u200d/u, (before) => AFTER_VIRAMA.test(before)],
  [/\u00b7/u, (before, _label, after) => before.endsWith("l") && after.startsWith("l")],
  [/\u0375/u, (_before, _label, after) => /^\p{Script=Greek}/u.test(after)],
  [/[\u05f3\u05f4]/u, (before) => /\p{Script=Hebrew}$/u.test(before)],
  [/\u30fb/u, (_before, label) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)],
  [/[\u0660-\u0669]/u, (_before, label) => !/[\u06f0-\u06f9]/u.test(label)],
  [/[\u06f0-\u06f9]/u, (_before, label) => !/[\u0660-\u0669]/u.test(label)],
];

/** A U-label of RFC 5890: not ASCII alone, in normal form C, each code point valid where it stands (RFC 5891, 4.2). */
export function isUnicodeLabel(label: string): boolean {
  if (/^[\0-\x7f]*$/.test(label) || label.length > 63 || label !== label.normalize("NFC")) return false;
  if (/^-|-$|^..--/u.test(label) || /^\p{M}/u.test(label)) return false;
  let at = 0;
  for (const char of label) {
    if (!isAllowed(char) && !isInContext(char, label, at)) return false;
    at += char.length;
  }
  return true;
}

/** The derived property PVALID of RFC 5892, section 3. */
function isAllowed(char: string): boolean {
  if (/^[a-z0-9-]$/.test(char) || VALID.test(char)) return true;
  if (DISALLOWED.test(char) || IN_CONTEXT.test(char) || IGNORABLE.test(char)) return false;
  const point = char.codePointAt(0)!;
  if (IGNORABLE_BLOCKS.some(([from, to]) => point >= from && point <= to)) return false;
  const isStable = char.normalize("NFKC").toLowerCase().normalize("NFKC") === char;
  return isStable && LETTER_OR_DIGIT.test(char);
}

function isInContext(char: string, label: string, at: number): boolean {
  const context = CONTEXTS.find(([chars]) => chars.test(char))?.[1];
  return context?.(label.slice(0, at), label, label.slice(at + char.length)) ?? false;
}

/** Bidi classes R and AL, by script, and AN: JavaScript's `\p` does not know Bidi classes. */
const RTL_LETTER =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;
const ARABIC_NUMBER = /[\u0660-\u0669\u066b\u066c]/u;
const EUROPEAN_NUMBER = /[0-9\u06f0-\u06f9]/u;

/** Whether a label makes its domain a Bidi domain (RFC 5893, 1.4). */
export function isRightToLeft(label: string): boolean {
  return RTL_LETTER.test(label.replace(/[\p{Mn}\u06f0-\u06f9]/gu, "")) || ARABIC_NUMBER.test(label);
}

/** The Bidi rule of RFC 5893, section 2, for one label of a Bidi domain. */
export function isLabelInBidiDomain(label: string): boolean {
  const letters = label.replace(/\p{Mn}+/gu, "");
  const isNumber = (char: string) => EUROPEAN_NUMBER.test(char) || ARABIC_NUMBER.test(char);
  const [first = "", last = ""] = [[...letters][0], [...letters].at(-1)];
  const isLetter = (char: string) => /\p{L}/u.test(char) || RTL_LETTER.test(char);
  if (isNumber(first) || !isLetter(first)) return false;
  if (!isLetter(last) && !isNumber(last)) return false;
  if (!RTL_LETTER.test(first)) return !isRightToLeft(letters);
  const hasBothNumbers = EUROPEAN_NUMBER.test(letters) && ARABIC_NUMBER.test(letters);
  const isAllRightToLeft = [...letters].every((char) => !/\p{L}/u.test(char) || RTL_LETTER.test(char));
  return isAllRightToLeft && !hasBothNumbers;
}

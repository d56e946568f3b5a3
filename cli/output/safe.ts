/**
 * Escapes untrusted text for a terminal. Control characters could move the cursor or write to the clipboard,
 * bidirectional overrides can disguise text, and invisible characters can hide it. These characters become
 * visible, except line breaks and tabs.
 */

/**
 * Characters that are invisible or that control others, as a part of a character class: control and format
 * characters, line separators, characters that a font may ignore, such as variation selectors and fillers,
 * and the empty pattern of Braille. https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
export const INVISIBLE = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

/**
 * Invisible characters. Excluded are the joiners of letters and emoji (U+200C and U+200D), the selectors of
 * the form of an emoji, and format characters that a terminal shows, such as U+0600.
 */
const CONTROL = new RegExp(
  String.raw`(?!\n|\t|\u200c|\u200d|(?<=\p{Emoji})[\ufe0e\ufe0f]|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[${INVISIBLE}]`,
  "gu",
);

/** Replaces control characters with visible ones, such as `␛` or `<U+202E>`. */
export function safe(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROL, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "␡";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const STYLE = /\x1b\[[\d;]*m/;

/**
 * Escapes all control characters, except line breaks, tabs and the escape sequences that set colours. It
 * guards the output of text that should be escaped already.
 */
export function guarded(text: string): string {
  if (text.search(CONTROL) === -1) return text;
  return text
    .split(new RegExp(`(${STYLE.source})`))
    .map((part, index) => (index % 2 === 1 ? part : safe(part)))
    .join("");
}

/** Escapes text like `safe`, and puts it on one line. */
export function oneLine(text: string): string {
  return safe(text)
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
}

/**
 * Formats a value as JSON and escapes all control characters, also those that `JSON.stringify` does not
 * escape.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(CONTROL, (character) =>
    character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

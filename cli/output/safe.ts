/**
 * Escapes untrusted text for a terminal. Control characters could move the cursor or write to the clipboard,
 * bidirectional overrides disguise text, and invisible characters hide text. Line breaks and tabs stay.
 */

/**
 * Invisible characters, for use inside a regular expression's character class: control and format characters,
 * line separators, characters that fonts may ignore, and the blank Braille pattern.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
export const INVISIBLE = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

/**
 * Matches invisible characters except joiners (U+200C, U+200D), emoji variation selectors, and format
 * characters that a terminal displays, such as U+0600.
 */
const CONTROL = new RegExp(
  String.raw`(?!\n|\t|\u200c|\u200d|(?<=\p{Emoji})[\ufe0e\ufe0f]|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[${INVISIBLE}]`,
  "gu",
);

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

/** Escapes control characters that callers forgot to escape. Keeps line breaks, tabs and colours. */
export function guarded(text: string): string {
  if (text.search(CONTROL) === -1) return text;
  return text
    .split(new RegExp(`(${STYLE.source})`))
    .map((part, index) => (index % 2 === 1 ? part : safe(part)))
    .join("");
}

export function oneLine(text: string): string {
  return safe(text)
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
}

/** Formats a value as JSON. Also escapes the control characters that `JSON.stringify` leaves unescaped. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(CONTROL, (character) =>
    character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

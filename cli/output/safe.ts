/**
 * Untrusted text on a terminal. Control characters could move the cursor, change colours or fill the clipboard, and
 * bidirectional overrides make a line read as another one, so all but line breaks and tabs are shown by a visible stand-in.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The same text with control characters made visible (`␛`, `<U+202E>`). */
export function safe(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROL, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "␡";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** `safe`, on one line. */
export function oneLine(text: string): string {
  return safe(text)
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
}

/** Characters that `JSON.stringify` does not escape, although a terminal may act on them. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The JSON of a value, with those characters escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

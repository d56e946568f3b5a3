/**
 * Escapes untrusted text for a terminal. Control characters could move the cursor or write to the clipboard, and
 * bidirectional overrides can disguise text. These characters become visible, except line breaks and tabs.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

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
 * Escapes all control characters, except line breaks, tabs and the escape sequences that set colours. It guards the output of
 * text that should be escaped already.
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
 * Control characters and bidirectional characters that `JSON.stringify` does not escape, although a terminal may
 * interpret them.
 */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Formats a value as JSON and escapes all control characters. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

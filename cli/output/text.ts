import cliTruncate from "cli-truncate";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { oneLine } from "./safe.js";

/** Returns the entry of a table for a value of the service, which may be unknown to the table. */
export function own<Value>(table: Readonly<Record<string, Value>>, value: string): Value | undefined {
  return Object.hasOwn(table, value) ? table[value] : undefined;
}

/** Returns the description of a value of the service, or the value itself if a newer service has sent it. */
export function described(table: Readonly<Record<string, string>>, value: string): string {
  return own(table, value) ?? oneLine(value);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function graphemesOf(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** Wraps a text between words. Keeps line breaks and indentation, so that code and JSON stay readable. */
export function wrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrappedLine(line.replaceAll("\t", "    "), Math.max(1, width)));
}

function wrappedLine(line: string, width: number): string[] {
  if (stringWidth(line) <= width) return [line];
  const indent = Math.min(line.length - line.trimStart().length, width - 1);
  // wrapAnsi removes leading spaces, so the indentation is replaced with `x` characters before wrapping.
  const [first = "", ...rest] = wrapAnsi("x".repeat(indent) + line.trim(), width, { hard: true }).split("\n");
  return [line.slice(0, indent) + first.slice(indent), ...rest].map((each) => each.trimEnd());
}

/** Lines are not wrapped to fewer columns. A terminal that does not know its width may report 0 columns. */
const MIN_TEXT_WIDTH = 10;

/**
 * Wraps and indents a text. A line that the terminal wraps itself continues in the first column, where the
 * text of an agent could imitate a heading, such as that of another wire.
 */
export function indented(text: string, indent: string, width: number): string[] {
  return wrapped(text, Math.max(MIN_TEXT_WIDTH, width - indent.length)).map((line) => `${indent}${line}`);
}

/** Cuts a text to at most `width` columns and ends it with `…`. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const shorter = cliTruncate(text, Math.max(0, width));
  // cli-truncate 5.2.0 has a bug: if it cuts a character of two columns, the result is one column too wide.
  return stringWidth(shorter) <= width ? shorter : cliTruncate(text, width - 1);
}

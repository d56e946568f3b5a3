import cliTruncate from "cli-truncate";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { oneLine } from "./safe.js";

/** Ignores inherited properties such as `constructor`, because `value` comes from the service. */
export function own<Value>(table: Readonly<Record<string, Value>>, value: string): Value | undefined {
  return Object.hasOwn(table, value) ? table[value] : undefined;
}

export function described(table: Readonly<Record<string, string>>, value: string): string {
  return own(table, value) ?? oneLine(value);
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Matches positions at which a new grapheme cluster always starts. */
const BOUNDARY = /(?=[ -~\p{Ideographic}])/u;

/**
 * Splits a text into grapheme clusters. Segments only short parts, because the segmenter copies its input.
 */
export function graphemesOf(text: string): string[] {
  return text
    .split(BOUNDARY)
    .flatMap((part) =>
      part.length === 1 ? part : Array.from(graphemes.segment(part), ({ segment }) => segment),
    );
}

/** Wraps a text between words. Keeps line breaks and indentation, so that code and JSON stay readable. */
export function wrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrappedLine(line.replaceAll("\t", "    "), Math.max(1, width)));
}

function wrappedLine(line: string, width: number): string[] {
  if (stringWidth(line) <= width) return [line];
  const indent = Math.min(line.length - line.trimStart().length, width - 1);
  // wrapAnsi removes leading spaces, so use `x` characters as indentation while wrapping.
  const [first = "", ...rest] = wrapAnsi("x".repeat(indent) + line.trim(), width, { hard: true }).split("\n");
  return [line.slice(0, indent) + first.slice(indent), ...rest].map((each) => each.trimEnd());
}

/** Minimum width for wrapping, because a terminal that does not know its width may report 0 columns. */
const MIN_TEXT_WIDTH = 10;

/**
 * Wraps and indents a text. If the terminal wrapped a line itself, the line would continue in the first
 * column, where an agent's text could imitate a heading.
 */
export function indented(text: string, indent: string, width: number): string[] {
  return wrapped(text, Math.max(MIN_TEXT_WIDTH, width - indent.length)).map((line) => `${indent}${line}`);
}

export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const shorter = cliTruncate(text, Math.max(0, width));
  // cli-truncate 5.2.0 has a bug: if it cuts a double-width character, the result is one column too wide.
  return stringWidth(shorter) <= width ? shorter : cliTruncate(text, width - 1);
}

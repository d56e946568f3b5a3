/** Text fitted to a width in columns of the terminal: wrapped or cut. */
import cliTruncate from "cli-truncate";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The graphemes of a text. */
export function graphemesOf(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/**
 * Wraps a text to lines of at most `width` columns, between words if possible. Line breaks and indents stay, so that code
 * and JSON keep their shape.
 */
export function wrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrappedLine(line.replaceAll("\t", "    "), Math.max(1, width)));
}

function wrappedLine(line: string, width: number): string[] {
  if (stringWidth(line) <= width) return [line];
  const indent = Math.min(line.length - line.trimStart().length, width - 1);
  // The library would remove the indent, so letters stand in for it meanwhile.
  const [first = "", ...rest] = wrapAnsi("x".repeat(indent) + line.trim(), width, { hard: true }).split("\n");
  return [line.slice(0, indent) + first.slice(indent), ...rest].map((each) => each.trimEnd());
}

/** Cuts a text to at most `width` columns; `…` marks the cut. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const shorter = cliTruncate(text, Math.max(0, width));
  // cli-truncate 5.2.0 leaves one column too many where a character of two columns is cut.
  return stringWidth(shorter) <= width ? shorter : cliTruncate(text, width - 1);
}

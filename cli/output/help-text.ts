/** Wraps texts of help pages and errors. */
import { Help } from "commander";

const help = Object.assign(new Help(), { minWidthToWrap: 0 });

/**
 * Wraps a text. Joins consecutive lines into one paragraph, but keeps indented lines unchanged.
 * @param width in columns; `Infinity` joins lines without wrapping them
 */
export function wrapProse(text: string, width: number): string {
  return text
    .replace(/^(\S.*)\n(?=\S)/gm, "$1 ")
    .split("\n")
    .map((line) => (line.startsWith(" ") ? line : help.boxWrap(line, width)))
    .join("\n");
}

export function wrapLines(text: string, width: number): string[] {
  return wrapProse(text, width).split("\n");
}

/** Text broken into lines of a width, by what a terminal shows and not by its characters. */
import cliTruncate from "cli-truncate";
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The signs of a text as a reader counts them. */
export function graphemesOf(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/**
 * Lines of at most `width` columns, broken between words where that is possible. Line breaks of the text stay, and
 * spaces at the beginning of a line too, so that code and JSON keep their shape.
 */
export function wrapped(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrappedLine(line.replaceAll("\t", "    "), Math.max(1, width)));
}

function wrappedLine(line: string, width: number): string[] {
  if (stringWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    if (current !== "" && stringWidth((current + word).trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = "";
    }
    const pieces = hardBroken(current + word, width);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1)!;
  }
  return [...lines, current.trimEnd()];
}

/** Pieces of at most `width` columns; spaces at the end do not count. */
function hardBroken(text: string, width: number): string[] {
  const pieces = [""];
  let used = 0;
  for (const sign of graphemesOf(text)) {
    const wide = stringWidth(sign);
    if (used + wide > width && sign.trim() !== "") {
      pieces.push("");
      used = 0;
    }
    pieces[pieces.length - 1] += sign;
    used += wide;
  }
  return pieces;
}

/** The text in at most `width` columns; what is cut ends with `…`. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const shorter = cliTruncate(text, Math.max(0, width));
  // Where a sign of two columns stands at the end, one too many is left.
  return stringWidth(shorter) <= width ? shorter : cliTruncate(text, width - 1);
}

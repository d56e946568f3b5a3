/** Styled text by the line: what a view shows, before it has a place on the screen. */
import stringWidth from "string-width";
import { oneLine } from "../../output/safe.js";
import { cut } from "../../output/text.js";

/** The terminal's own sixteen colours, so that a person's theme is kept. */
export type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

export interface Style {
  color?: Colour;
  bold?: boolean;
  dim?: boolean;
  inverse?: boolean;
}

/** A piece of a line. It is made by `span` alone, which makes its text safe to show. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Span[];

/** Text of anyone's, made safe for the terminal and put on one line. */
export function span(text: string, style: Style = {}): Span {
  return { text: oneLine(text), style };
}

export const BLANK: Line = [];

/** Columns that a line takes. */
export function widthOf(line: Line): number {
  return line.reduce((width, { text }) => width + stringWidth(text), 0);
}

/** Cut or filled to exactly `width` columns; what is cut ends with `…`. */
export function fitted(line: Line, width: number): Span[] {
  const parts: Span[] = [];
  let left = width;
  for (const { text, style } of line) {
    const wide = stringWidth(text);
    if (wide > left) {
      const shorter = left > 0 ? cut(text, left) : "";
      parts.push({ text: shorter, style });
      left -= stringWidth(shorter);
      break;
    }
    parts.push({ text, style });
    left -= wide;
  }
  if (left > 0) parts.push({ text: " ".repeat(left), style: {} });
  return parts;
}

/** `left` at the beginning and `right` at the end of `width` columns; `left` is cut where both do not fit. */
export function justified(left: Line, right: Line, width: number): Span[] {
  const room = width - widthOf(right);
  return room > 0 ? [...fitted(left, room), ...right] : fitted(left, width);
}

/** The same line as the one that is selected: in reverse where the keys go, bold elsewhere; neither mixes with faint. */
export function highlighted(line: Line, focused: boolean): Span[] {
  return line.map(({ text, style: { color } }) => ({
    text,
    style: focused ? { inverse: true } : { bold: true, ...(color && { color }) },
  }));
}

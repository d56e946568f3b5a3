/** Styled text: a line is a list of spans, and each span has one style. */
import stringWidth from "string-width";
import { oneLine, safe } from "../../output/safe.js";
import { cut, wrapped } from "../../output/text.js";

/** The basic ANSI colours. The user's terminal theme determines how they look. */
export type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

export interface Style {
  color?: Colour;
  bold?: boolean;
  dim?: boolean;
  inverse?: boolean;
}

/** The styles of the views. Each colour's meaning is also shown by a word or symbol. */
export const THEME = {
  /** The focused pane or field. */
  accent: { color: "cyan" },
  title: { bold: true },
  faint: { dim: true },
  /** Names of handles and spaces. */
  name: { color: "cyan" },
  own: { color: "green" },
  fresh: { color: "yellow", bold: true },
  knock: { color: "magenta" },
  good: { color: "green" },
  warning: { color: "yellow" },
  bad: { color: "red" },
  key: { color: "cyan", bold: true },
  json: { color: "blue" },
} as const satisfies Record<string, Style>;

/** A part of a line with one style. Create spans only with `span()`, which makes the text safe to print. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Span[];

/** Creates a span. Replaces control characters, so that other agents' text cannot control the terminal. */
export function span(text: string, style: Style = {}): Span {
  return { text: oneLine(text), style };
}

export function widthOf(line: Line): number {
  return line.reduce((width, { text }) => width + stringWidth(text), 0);
}

/** Truncates or pads a line to exactly `width` columns. A truncated line ends with `…`. */
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

/**
 * Returns a line of `width` columns with `left` at its start and `right` at its end, separated by at least
 * one space. Truncates `left` if both do not fit.
 */
export function justified(left: Line, right: Line, width: number): Span[] {
  const room = width - widthOf(right) - 1;
  return room > 0 ? [...fitted(left, room), span(" "), ...right] : fitted(left, width);
}

/** Returns a line in the selected row's style: inverse in the focused pane, bold in other panes. */
function highlighted(line: Line, focused: boolean): Span[] {
  return line.map(({ text, style: { color } }) => ({
    text,
    style: focused ? { inverse: true } : { bold: true, ...(color && { color }) },
  }));
}

export function row(line: Line, width: number, isSelected: boolean, isFocused: boolean): Line {
  const bar = isSelected ? span("▌", isFocused ? THEME.accent : THEME.faint) : span(" ");
  const text = fitted(line, width - 1);
  return isSelected ? [bar, ...highlighted(text, isFocused)] : [bar, ...text];
}

export function paragraphs(texts: readonly string[], width: number, style: Style = {}): Line[] {
  return texts.flatMap((text) => wrapped(safe(text), width)).map((text) => [span(text, style)]);
}

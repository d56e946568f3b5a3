/** A frame with a title, and lines in it. */
import type { ReactNode } from "react";
import { LinesView } from "./line.js";
import {
  BLANK,
  fitted,
  justified,
  type Line,
  restyled,
  type Span,
  type Style,
  span,
  widthOf,
} from "./spans.js";
import { THEME } from "./theme.js";

export interface PaneProps {
  title: string;
  /** Said at the right end of the title's line: a count, a position. */
  aside?: string;
  width: number;
  height: number;
  /** Whether the keys go here. */
  focused: boolean;
  lines: readonly Line[];
}

/** Columns and rows that the frame takes from what is in it. */
export const FRAME = { columns: 4, rows: 2 } as const;

/** A pane of exactly `width` by `height`; lines that do not fit are left out. */
export function Pane(props: PaneProps): ReactNode {
  return <LinesView lines={framed(props)} />;
}

/** The same as lines, for what is laid over others. */
export function framed({ title, aside = "", width, height, focused, lines }: PaneProps): Line[] {
  const edge: Style = focused ? THEME.accent : THEME.faint;
  const inner = width - FRAME.columns;
  const shown = Array.from({ length: height - FRAME.rows }, (_, i) => lines[i] ?? BLANK);
  return [
    topEdge(title, aside, width, focused, edge),
    ...shown.map((line) => [span("│ ", edge), ...fitted(line, inner), span(" │", edge)]),
    [span(`╰${"─".repeat(width - 2)}╯`, edge)],
  ];
}

function topEdge(title: string, aside: string, width: number, focused: boolean, edge: Style): Span[] {
  const name = span(` ${title} `, focused ? { ...THEME.accent, bold: true } : THEME.title);
  const end: Line = [...(aside === "" ? [] : [span(` ${aside} `, THEME.faint)]), span("─╮", edge)];
  const begin: Line = [span("╭─", edge), name];
  const gap = width - widthOf(begin) - widthOf(end);
  return gap >= 0
    ? [...begin, span("─".repeat(gap), edge), ...end]
    : justified(begin, [span("─╮", edge)], width);
}

/** A row of a list over the full width, with a bar at its left where it is the selected one. */
export function row(line: Line, width: number, selected: boolean, focused: boolean): Line {
  const bar = selected ? span("▌", focused ? THEME.accent : THEME.faint) : span(" ");
  const text = fitted(line, width - 1);
  if (!selected) return [bar, ...text];
  return [bar, ...restyled(text, focused ? { inverse: true } : { bold: true })];
}

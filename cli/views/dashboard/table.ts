/**
 * Formats a pane's rows and their details as lines. In a narrow window, the table drops less important
 * columns. If the important columns alone are too wide, each row becomes a card of two lines.
 */
import { safe } from "../../output/safe.js";
import { columnWidths, GAP } from "../../output/table.js";
import { wrapped } from "../../output/text.js";
import { fitted, type Line, paragraphs, type Span, span, THEME, widthOf } from "../styled-text/spans.js";
import type { Layout } from "./layout.js";
import type { AnyPane, Column, Details, Sources } from "./pane.js";

const MIN_FLEXIBLE_WIDTH = 16;
/** A narrower value is hard to read. */
const MIN_VALUE_WIDTH = 10;
/** Width of the bar to the left of the selected row, in columns. */
const BAR_WIDTH = 1;

// biome-ignore lint/suspicious/noExplicitAny: rows are only passed back to the pane that loaded them
type AnyColumn = Column<any>;

export interface TableInput {
  readonly pane: AnyPane;
  readonly items: readonly unknown[];
  readonly sources: Sources;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly layout: Layout;
}

export interface Table {
  /** The number of rows that fit. */
  readonly rows: number;
  /** The title line. Undefined if no column has a title, or if rows are shown as cards. */
  readonly titles: Line | undefined;
  /** The lines of each row. */
  readonly lines: readonly (readonly Line[])[];
}

export function tableOf({ pane, items, sources, now, layout }: TableInput): Table {
  const { textWidth: width, tableRows: height } = layout;
  const all: readonly AnyColumn[] = pane.columns;
  const cells = new Map(
    all.map((column) => [column, items.map((item) => cellOf(column, item, sources, now))]),
  );
  const columns = fittingColumns(all, cells, width - BAR_WIDTH);
  const rowsOf = (shown: readonly AnyColumn[]) =>
    items.map((_, i) => shown.map((column) => cells.get(column)![i]!));
  if (!columns) {
    const upper = rowsOf(all.filter(isRequired));
    const lower = rowsOf(all.filter((column) => !isRequired(column)));
    const lines = items.map((_, i) => [spaced(upper[i]!), spaced(lower[i]!)]);
    return { rows: Math.max(1, Math.floor(height / 2)), titles: undefined, lines };
  }
  const titles = columns.map(({ title }) => title);
  const texts = rowsOf(columns).map((row) => row.map(({ text }) => text));
  const widths = columnWidths(columns, [titles, ...texts], width - BAR_WIDTH);
  const placed = (row: readonly Span[]): Line =>
    row.flatMap((cell, i) => [...(i > 0 ? [span(GAP)] : []), ...fitted([cell], widths[i]!)]);
  const hasTitles = titles.some((title) => title !== "");
  return {
    rows: Math.max(1, hasTitles ? height - 1 : height),
    titles: hasTitles ? placed(titles.map((text) => span(text, THEME.faint))) : undefined,
    lines: rowsOf(columns).map((row) => [placed(row)]),
  };
}

function cellOf(column: AnyColumn, item: unknown, sources: Sources, now: number): Span {
  const { style } = column;
  return span(column.text(item, sources, now), typeof style === "function" ? style(item) : style);
}

function isRequired({ rank, flexible }: AnyColumn): boolean {
  return rank === undefined && !flexible;
}

function spaced(cells: readonly Span[]): Line {
  const filled = cells.filter(({ text }) => text !== "");
  return filled.flatMap((cell, i) => (i === 0 ? [cell] : [span(GAP), cell]));
}

function fittingColumns(
  all: readonly AnyColumn[],
  cells: ReadonlyMap<AnyColumn, readonly Span[]>,
  width: number,
): readonly AnyColumn[] | undefined {
  const minWidths = new Map(all.map((column) => [column, minWidthOf(column, cells.get(column)!)]));
  for (let columns = all; ; ) {
    const needed = columns.reduce((sum, column) => sum + minWidths.get(column)! + GAP.length, -GAP.length);
    if (needed <= width) return columns;
    const highest = Math.max(0, ...columns.map(({ rank = 0 }) => rank));
    if (highest === 0) return undefined;
    columns = columns.filter(({ rank = 0 }) => rank < highest);
  }
}

function minWidthOf({ title, flexible, minWidth = MIN_FLEXIBLE_WIDTH }: AnyColumn, cells: readonly Span[]) {
  const natural = Math.max(...[span(title), ...cells].map((cell) => widthOf([cell])));
  return flexible ? Math.min(natural, minWidth) : natural;
}

export function detailLines(
  pane: AnyPane,
  item: unknown,
  sources: Sources,
  now: number,
  width: number,
): Line[] {
  const fields: Details =
    pane.details?.(item, now) ??
    pane.columns.map((column) => [column.title, column.text(item, sources, now)] as const);
  const shown = fields.filter((field): field is readonly [string, string] => field[1] !== undefined);
  const nameWidth = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
  const lines = shown.flatMap(([name, value]) =>
    wrapped(safe(value), Math.max(MIN_VALUE_WIDTH, width - nameWidth)).map(
      (line, i): Line => [span((i === 0 ? name : "").padEnd(nameWidth), THEME.faint), span(line)],
    ),
  );
  return pane.text ? [...lines, [], ...paragraphs([pane.text(item)], width)] : lines;
}

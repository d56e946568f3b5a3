/**
 * Formats a noun's rows and their details as lines. In a narrow window, the table drops less important
 * columns. If the important columns alone are too wide, each row becomes a card of two lines.
 */
import { now as currentTime } from "../../clock.js";
import { safe } from "../../output/safe.js";
import { columnWidths, GAP } from "../../output/table.js";
import { wrapped } from "../../output/text.js";
import { fitted, type Line, span, THEME, widthOf } from "../styled-text/spans.js";
import type { Size } from "../terminal/terminal.js";
import type { AnyNoun, Detail, DetailOptions, Fields } from "./noun.js";

const MIN_FLEXIBLE_WIDTH = 16;
/** A narrower value is hard to read. */
const MIN_VALUE_WIDTH = 10;
/** Width of the bar to the left of the selected row, in columns. */
const BAR_WIDTH = 1;

type AnyColumn = AnyNoun["columns"][number];

/** Only these rows are measured, so that a long list is drawn fast. */
const MEASURED_ROWS = 200;

export interface Table {
  /** The number of rows that fit. */
  readonly rows: number;
  /** The title line. Undefined if no column has a title, or if rows are shown as cards. */
  readonly titles: Line | undefined;
  linesOf(index: number): readonly Line[];
}

/**
 * @param now milliseconds since 1970
 * @param size the room for text
 */
export function tableOf(
  noun: AnyNoun,
  items: readonly unknown[],
  now: number,
  { columns: width, rows: height }: Size,
): Table {
  const all: readonly AnyColumn[] = noun.columns;
  const cellsOf = (columns: readonly AnyColumn[]) => (item: unknown) =>
    columns.map((column) => cellOf(column, item, now));
  const measured = items.slice(0, MEASURED_ROWS);
  const columns = fittingColumns(all, measured.map(cellsOf(all)), width - BAR_WIDTH);
  if (!columns) {
    const parts = [all.filter(isRequired), all.filter((column) => !isRequired(column))].map(cellsOf);
    const linesOf = (index: number) => parts.map((cells) => spaced(cells(items[index])));
    return { rows: Math.max(1, Math.floor(height / 2)), titles: undefined, linesOf };
  }
  const titles = columns.map(({ title }) => [span(title, THEME.faint)]);
  const cells = cellsOf(columns);
  const texts = [titles, ...measured.map(cells)].map((row) => row.map(textOf));
  const widths = columnWidths(columns, texts, width - BAR_WIDTH);
  const placed = (row: readonly Line[]): Line =>
    row.flatMap((cell, i) => [...(i > 0 ? [span(GAP)] : []), ...fitted(cell, widths[i]!)]);
  const hasTitles = columns.some(({ title }) => title !== "");
  return {
    rows: Math.max(1, hasTitles ? height - 1 : height),
    titles: hasTitles ? placed(titles) : undefined,
    linesOf: (index) => [placed(cells(items[index]))],
  };
}

/** Returns the rows whose cells contain all words. */
export function matching(noun: AnyNoun, items: readonly unknown[], words: string): readonly unknown[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const cells = (noun.columns as readonly AnyColumn[]).map((column) =>
      textOf(cellOf(column, item, currentTime())),
    );
    const text = cells.join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function cellOf({ text, style }: AnyColumn, item: unknown, now: number): Line {
  const cell = text(item, now);
  if (typeof cell !== "string") return cell;
  return [span(cell, typeof style === "function" ? style(item) : style)];
}

function textOf(cell: Line): string {
  return cell.map(({ text }) => text).join("");
}

function isRequired({ rank, flexible }: AnyColumn): boolean {
  return rank === undefined && !flexible;
}

function spaced(cells: readonly Line[]): Line {
  const filled = cells.filter((cell) => textOf(cell) !== "");
  return filled.flatMap((cell, i) => (i === 0 ? cell : [span(GAP), ...cell]));
}

function fittingColumns(
  all: readonly AnyColumn[],
  rows: readonly (readonly Line[])[],
  width: number,
): readonly AnyColumn[] | undefined {
  const minWidths = new Map(
    all.map((column, i) => [
      column,
      minWidthOf(
        column,
        rows.map((row) => row[i]!),
      ),
    ]),
  );
  for (let columns = all; ; ) {
    const needed = columns.reduce((sum, column) => sum + minWidths.get(column)! + GAP.length, -GAP.length);
    if (needed <= width) return columns;
    const highest = Math.max(0, ...columns.map(({ rank = 0 }) => rank));
    if (highest === 0) return undefined;
    columns = columns.filter(({ rank = 0 }) => rank < highest);
  }
}

function minWidthOf({ title, flexible, minWidth = MIN_FLEXIBLE_WIDTH }: AnyColumn, cells: readonly Line[]) {
  const natural = Math.max(...[[span(title)], ...cells].map(widthOf));
  return flexible ? Math.min(natural, minWidth) : natural;
}

export function fieldsDetail(noun: AnyNoun, item: unknown, { width, now }: DetailOptions): Detail {
  const fields: Fields =
    noun.fields?.(item, now) ??
    noun.columns.map((column: AnyColumn) => [column.title, textOf(cellOf(column, item, now))] as const);
  const shown = fields.filter((field): field is readonly [string, string] => field[1] !== undefined);
  const nameWidth = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
  const lines = shown.flatMap(([name, value]) =>
    wrapped(safe(value), Math.max(MIN_VALUE_WIDTH, width - nameWidth)).map(
      (line, i): Line => [span((i === 0 ? name : "").padEnd(nameWidth), THEME.faint), span(line)],
    ),
  );
  return { id: `${noun.id} ${noun.idOf(item)}`, title: "Details", parts: [lines] };
}

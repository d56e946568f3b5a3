/**
 * Tables: fitted to the width of a terminal, tab-separated lines elsewhere.
 * docs/decisions/022-tables-of-our-own.md says why this is no package.
 */
import stringWidth from "string-width";
import { oneLine } from "./safe.js";
import { cut } from "./text.js";

/** A column of a table. */
export interface Column<Row> {
  title: string;
  /** Text of the cell; the table makes it safe and puts it on one line. */
  cell(row: Row): string;
  /** Shrinks first when the terminal is narrow. */
  flexible?: boolean;
}

/** A column does not shrink below this width. */
const NARROWEST = 6;
export const GAP = "  ";

/** Lines for `cut`, `awk` and `while read`: no titles, tabs between the cells. */
export function tabSeparated<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => columns.map((column) => oneLine(column.cell(row))).join("\t")).join("\n");
}

/** A table without borders, at most `width` columns wide. `paint` colours the titles. */
export function fitted<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  paint: (title: string) => string,
): string {
  const titles = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map((column) => oneLine(column.cell(row))));
  const widths = columnWidths(columns, [titles, ...cells], width);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => padded(text, widths[i]!))
      .join(GAP)
      .trimEnd();
  return [paint(line(titles)), ...cells.map(line)].join("\n");
}

/** Cuts or pads a text to exactly `width` columns; wide characters count as two. */
function padded(text: string, width: number): string {
  const fitting = cut(text, width);
  return fitting + " ".repeat(Math.max(0, width - stringWidth(fitting)));
}

/** The width of each column, so that no line is wider than `width`, with `GAP` between the columns. */
export function columnWidths(
  columns: readonly { flexible?: boolean }[],
  lines: readonly (readonly string[])[],
  width: number,
): number[] {
  const natural = columns.map((_, i) => Math.max(0, ...lines.map((line) => stringWidth(line[i]!))));
  return shrunk(
    natural,
    columns.map(({ flexible }) => flexible === true),
    width,
  );
}

/** Shrinks the widest flexible column first, then the widest of all. */
function shrunk(natural: readonly number[], flexible: readonly boolean[], width: number): number[] {
  const widths = [...natural];
  const room = width - GAP.length * (widths.length - 1);
  for (let excess = sum(widths) - room; excess > 0; excess--) {
    const widest = widestOf(widths, (i) => flexible[i]!) ?? widestOf(widths, () => true);
    if (widest === undefined) break;
    widths[widest]!--;
  }
  return widths;
}

function widestOf(widths: readonly number[], counts: (column: number) => boolean): number | undefined {
  const candidates = widths.map((_, i) => i).filter((i) => counts(i) && widths[i]! > NARROWEST);
  return candidates.toSorted((a, b) => widths[b]! - widths[a]!)[0];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

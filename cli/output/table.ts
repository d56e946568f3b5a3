/** Formats tables. docs/decisions/022-keep-our-own-tables.md explains why no package is used. */
import stringWidth from "string-width";
import { oneLine } from "./safe.js";
import { cut } from "./text.js";

export interface Column<Row> {
  title: string;
  cell(row: Row): string;
  /** True if this column shrinks before other columns on a narrow terminal. */
  flexible?: boolean;
}

export function fieldColumns<Row>(...names: (keyof Row & string)[]): Column<Row>[] {
  return names.map((name) => ({ title: name, cell: (row) => String(row[name] ?? "") }));
}

const MIN_COLUMN_WIDTH = 6;
export const GAP = "  ";

/** Returns tab-separated lines without headings, for scripts with `cut`, `awk` or `while read`. */
export function tabSeparated<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => columns.map((column) => oneLine(column.cell(row))).join("\t")).join("\n");
}

export function fitTable<Row>(
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

/** Cuts or pads a text to exactly `width` terminal columns. Wide characters count as two. */
function padded(text: string, width: number): string {
  const fitting = cut(text, width);
  return fitting + " ".repeat(Math.max(0, width - stringWidth(fitting)));
}

export function columnWidths(
  columns: readonly { flexible?: boolean }[],
  lines: readonly (readonly string[])[],
  width: number,
): number[] {
  const natural = columns.map((_, i) => Math.max(0, ...lines.map((line) => stringWidth(line[i]!))));
  return shrinkColumns(
    natural,
    columns.map(({ flexible }) => flexible === true),
    width,
  );
}

function shrinkColumns(natural: readonly number[], flexible: readonly boolean[], width: number): number[] {
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
  const candidates = widths.map((_, i) => i).filter((i) => counts(i) && widths[i]! > MIN_COLUMN_WIDTH);
  return candidates.toSorted((a, b) => widths[b]! - widths[a]!)[0];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Tables that fit the width on a terminal, and tab-separated lines elsewhere. */
import stringWidth from "string-width";
import { cut } from "./cut.js";
import { oneLine } from "./safe.js";

/** A column: what stands above it, and whether it may be cut when the terminal is narrow. */
export interface Column<Row> {
  title: string;
  /** The cell's text; it is made safe and put on one line here. */
  cell(row: Row): string;
  /** Cut first when there is no room for all. */
  flexible?: boolean;
}

/** Columns narrower than that say nothing. */
const NARROWEST = 6;
export const GAP = "  ";

/** Without a title line, tabs between the cells: for `cut`, `awk` and `while read`. */
export function tabSeparated<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => columns.map((column) => oneLine(column.cell(row))).join("\t")).join("\n");
}

/** A table without lines, at most `width` columns wide. `paint` colours the titles. */
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

/** Cut or filled up to exactly `width` columns; wide characters count as two. */
export function padded(text: string, width: number): string {
  const fitting = cut(text, width);
  return fitting + " ".repeat(Math.max(0, width - stringWidth(fitting)));
}

/** How wide each column is, so that lines of these cells have at most `width` columns with `GAP` between them. */
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

/** Takes from the widest flexible column first, then from the widest of all. */
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

/** Rows and columns of styled text. */
import { columnWidths, GAP } from "../../output/table.js";
import { row } from "./pane.js";
import { fitted, type Line, type Span, span } from "./spans.js";
import { THEME } from "./theme.js";

export interface TableColumn<Item> {
  title: string;
  cell(item: Item): Span;
  /** The cell for the columns that it was given, where it has another form then than to be cut. */
  drawn?(item: Item, width: number): Span;
  /** Cut first when there is no room for all. */
  flexible?: boolean;
}

export interface TableProps<Item> {
  columns: readonly TableColumn<Item>[];
  items: readonly Item[];
  /** Index of the selected row; -1 where there is none. */
  selected: number;
  /** First row that is shown, and how many are. */
  first: number;
  height: number;
  width: number;
  focused: boolean;
}

/** The titles, and the rows from `first` on. Columns are as wide as all items ask, so that nothing moves in scrolling. */
export function tableLines<Item>(props: TableProps<Item>): Line[] {
  const { columns, items, selected, first, height, width, focused } = props;
  const cells = items.map((item) => columns.map(({ cell }) => cell(item)));
  const titles = columns.map(({ title }) => title);
  const texts = [titles, ...cells.map((line) => line.map(({ text }) => text))];
  const widths = columnWidths(columns, texts, width - 1);
  const placed = (line: readonly Span[]): Line =>
    line.flatMap((piece, i) => [...(i > 0 ? [span(GAP)] : []), ...fitted([piece], widths[i]!)]);
  const shown = items.slice(first, first + height).map((item, i) => {
    const line = columns.map(({ drawn }, j) => drawn?.(item, widths[j]!) ?? cells[first + i]![j]!);
    return row(placed(line), width, first + i === selected, focused);
  });
  if (titles.every((title) => title === "")) return shown;
  const title = placed(titles.map((text) => span(text, THEME.faint)));
  return [[span(" "), ...title], ...shown];
}

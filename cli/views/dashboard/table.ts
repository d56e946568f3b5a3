/**
 * Formats the rows of a pane as lines. In a narrow window, the table leaves out less important columns. If
 * even the important columns do not fit, each row becomes a card of two lines.
 */
import { columnWidths, GAP } from "../../output/table.js";
import { fitted, type Line, row, type Span, span, widthOf } from "../kit/text/spans.js";
import { THEME } from "../kit/text/theme.js";
import type { AnyPane, Sources } from "./pane-definition.js";

export interface TableColumn<Item> {
  readonly title: string;
  cell(item: Item): Span;
  /**
   * Returns a smaller cell that fits into `width` columns. Without this function, a cell that is too wide is
   * cut.
   */
  drawn?(item: Item, width: number): Span;
  /** True for a column that shrinks down to `minWidth` if the table is too wide. */
  readonly flexible?: boolean;
  readonly minWidth?: number;
  /**
   * In a narrow window, columns with the highest rank are left out first. A column without a rank is never
   * left out.
   */
  readonly dropRank?: number;
}

const MIN_FLEXIBLE_WIDTH = 16;
const CARD_LINES = 2;
/** Width of the bar to the left of the selected row, in columns. */
const BAR_WIDTH = 1;

// biome-ignore lint/suspicious/noExplicitAny: rows are only passed back to the pane that loaded them
type AnyColumn = TableColumn<any>;

/** The data from which the rows of a pane are formatted. */
export interface TableInput {
  readonly pane: AnyPane;
  readonly items: readonly unknown[];
  readonly sources: Sources;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Size of the text area of the pane, in columns and lines. */
  readonly width: number;
  readonly height: number;
}

export interface TableLayout {
  /** How many rows of the pane fit. */
  readonly rows: number;
  /** The line of titles; undefined for cards. */
  readonly titles: Line | undefined;
  /** Returns the lines of a row. */
  linesOf(item: unknown, index: number): readonly Line[];
}

export function tableLayout(input: TableInput): TableLayout {
  const { pane, items, sources, now, width, height } = input;
  const room = width - BAR_WIDTH;
  const all: readonly AnyColumn[] = pane.columns(sources, now);
  const cells = new Map(all.map((column) => [column, items.map((item) => column.cell(item))]));
  const columns = fittingColumns(all, cells, room);
  if (!columns)
    return {
      rows: Math.max(1, Math.floor(height / CARD_LINES)),
      titles: undefined,
      linesOf: (item) => pane.card(item, sources, now),
    };
  const texts = items.map((_, i) => columns.map((column) => cells.get(column)![i]!.text));
  const titles = columns.map(({ title }) => title);
  const widths = columnWidths(columns, [titles, ...texts], room);
  const placed = (spans: readonly Span[]): Line =>
    spans.flatMap((each, i) => [...(i > 0 ? [span(GAP)] : []), ...fitted([each], widths[i]!)]);
  const hasTitles = titles.some((title) => title !== "");
  return {
    rows: Math.max(1, hasTitles ? height - 1 : height),
    titles: hasTitles ? placed(titles.map((text) => span(text, THEME.faint))) : undefined,
    linesOf: (item, index) => [
      placed(columns.map((column, i) => column.drawn?.(item, widths[i]!) ?? cells.get(column)![index]!)),
    ],
  };
}

/**
 * Returns the most important columns that fit in `width`. Returns undefined if the required columns do not
 * fit.
 */
function fittingColumns(
  all: readonly AnyColumn[],
  cells: ReadonlyMap<AnyColumn, readonly Span[]>,
  width: number,
): readonly AnyColumn[] | undefined {
  const minWidths = new Map(all.map((column) => [column, minWidthOf(column, cells.get(column)!)]));
  let columns = all;
  for (;;) {
    const needed = columns.reduce((sum, column) => sum + minWidths.get(column)! + GAP.length, -GAP.length);
    if (needed <= width) return columns;
    const rank = Math.max(0, ...columns.map(({ dropRank = 0 }) => dropRank));
    if (rank === 0) return undefined;
    columns = columns.filter(({ dropRank = 0 }) => dropRank < rank);
  }
}

function minWidthOf({ title, flexible, minWidth = MIN_FLEXIBLE_WIDTH }: AnyColumn, cells: readonly Span[]) {
  const natural = Math.max(...[span(title), ...cells].map((cell) => widthOf([cell])));
  return flexible ? Math.min(natural, minWidth) : natural;
}

/**
 * Returns a line with the column titles, and then the lines of the visible rows. Cards have no titles.
 * @param first index of the first visible row
 * @param selected index of the selected row
 */
export function tableLines(
  layout: TableLayout,
  { items, width }: TableInput,
  { first, selected, isFocused }: { first: number; selected: number; isFocused: boolean },
): Line[] {
  const lines = items.slice(first, first + layout.rows).flatMap((item, i) => {
    const index = first + i;
    return layout.linesOf(item, index).map((line) => row(line, width, index === selected, isFocused));
  });
  return layout.titles ? [[span(" "), ...layout.titles], ...lines] : lines;
}

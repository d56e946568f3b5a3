/** Computes the sizes of the inbox's panes. */
import { BORDER, ROWS_OUTSIDE_PANES, TWO_PANES_COLUMNS } from "../frame/pane.js";
import type { Size } from "../terminal/terminal.js";

export interface Layout {
  isNarrow: boolean;
  listWidth: number;
  threadWidth: number;
  /** Height of a pane in rows, including its border. */
  height: number;
  /** Rows of text in each pane, and columns of text in the thread pane. */
  rows: number;
  threadText: number;
}

export function layoutOf({ columns, rows }: Size): Layout {
  const isNarrow = columns < TWO_PANES_COLUMNS;
  const listWidth = isNarrow ? columns : Math.min(64, Math.floor(columns * 0.45));
  const threadWidth = isNarrow ? columns : columns - listWidth;
  const height = rows - ROWS_OUTSIDE_PANES;
  return {
    isNarrow,
    listWidth,
    threadWidth,
    height,
    rows: height - BORDER.rows,
    threadText: threadWidth - BORDER.columns,
  };
}

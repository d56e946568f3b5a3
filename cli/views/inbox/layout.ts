/** Where the panes of the inbox stand. */
import type { Size } from "../kit/controller.js";
import { FRAME } from "../kit/pane.js";

/** Columns below which one pane is shown at a time. */
export const NARROW = 90;
/** The header, and the two lines at the foot. */
const OTHER_ROWS = 3;

export interface Layout {
  isNarrow: boolean;
  listWidth: number;
  threadWidth: number;
  /** Rows of a pane, its frame included. */
  height: number;
  /** Rows and columns of text in a pane. */
  rows: number;
  threadText: number;
}

export function layoutOf({ columns, rows }: Size): Layout {
  const isNarrow = columns < NARROW;
  const listWidth = isNarrow ? columns : Math.min(64, Math.floor(columns * 0.45));
  const threadWidth = isNarrow ? columns : columns - listWidth;
  const height = rows - OTHER_ROWS;
  return {
    isNarrow,
    listWidth,
    threadWidth,
    height,
    rows: height - FRAME.rows,
    threadText: threadWidth - FRAME.columns,
  };
}

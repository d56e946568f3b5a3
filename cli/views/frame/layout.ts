/** Sizes that all views share. */
import type { Size } from "../terminal/size.js";

/** The smallest window in which a view can be drawn. */
export const SMALLEST: Size = { columns: 40, rows: 12 };

/** A window with fewer columns shows only one pane at a time. */
export const TWO_PANES_COLUMNS = 90;

/** Rows outside the panes: the header, the two foot lines, and the last row, which views leave empty. */
export const ROWS_OUTSIDE_PANES = 4;

/** Columns and rows that a border takes, including one space to the left and right of the text. */
export const BORDER: Size = { columns: 4, rows: 2 };

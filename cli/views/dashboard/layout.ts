/** The sizes of the dashboard's panes. */
import { BORDER, ROWS_OUTSIDE_PANES, TWO_PANES_COLUMNS } from "../frame/pane.js";
import type { Size } from "../terminal/terminal.js";
import type { AnyPane } from "./pane.js";

const MENU_WIDTH = 24;
/** Maximum height of the details pane, and minimum height of the table and of the details pane, in rows. */
const DETAILS_ROWS = { most: 13, least: 8 };

export interface Layout {
  /** True if the window shows one pane at a time. */
  isNarrow: boolean;
  /** Outer sizes in columns and rows. `detailsHeight` is 0 if the details do not fit. */
  menuWidth: number;
  contentWidth: number;
  height: number;
  tableHeight: number;
  detailsHeight: number;
  /** Size of the text area of the table and of the details, in columns and rows. */
  textWidth: number;
  tableRows: number;
  detailsRows: number;
}

export function layoutOf({ columns, rows }: Size, { details }: AnyPane): Layout {
  const isNarrow = columns < TWO_PANES_COLUMNS;
  const contentWidth = isNarrow ? columns : columns - MENU_WIDTH;
  const height = rows - ROWS_OUTSIDE_PANES;
  const room = height - DETAILS_ROWS.least;
  const detailsHeight = details && room >= DETAILS_ROWS.least ? Math.min(DETAILS_ROWS.most, room) : 0;
  const tableHeight = height - detailsHeight;
  return {
    isNarrow,
    menuWidth: isNarrow ? columns : MENU_WIDTH,
    contentWidth,
    height,
    tableHeight,
    detailsHeight,
    textWidth: contentWidth - BORDER.columns,
    tableRows: tableHeight - BORDER.rows,
    detailsRows: Math.max(0, detailsHeight - BORDER.rows),
  };
}

/** The sizes of the dashboard's panes. */
import { BORDER, ROWS_OUTSIDE_PANES, TWO_PANES_COLUMNS } from "../kit/layout.js";
import type { Size } from "../terminal/size.js";

const MENU_WIDTH = 24;
/** Maximum height of the details pane, and minimum height of both panes, in rows. */
const DETAILS_ROWS = { most: 13, least: 8 };

export interface Layout {
  isNarrow: boolean;
  menuWidth: number;
  contentWidth: number;
  /** Rows of the menu with its border. */
  height: number;
  /**
   * Heights of the two panes in rows, with their borders. `detailsHeight` is 0 if there is no room for the
   * details.
   */
  tableHeight: number;
  detailsHeight: number;
  /** Columns of text in the table pane and the details pane. */
  textWidth: number;
  /** Rows of text in the table pane and the details pane. */
  tableRows: number;
  detailsRows: number;
}

/** @param hasDetails whether the rows of the current pane have details */
export function layoutOf({ columns, rows }: Size, hasDetails: boolean): Layout {
  const isNarrow = columns < TWO_PANES_COLUMNS;
  const contentWidth = isNarrow ? columns : columns - MENU_WIDTH;
  const height = rows - ROWS_OUTSIDE_PANES;
  const room = height - DETAILS_ROWS.least;
  const detailsHeight = hasDetails && room >= DETAILS_ROWS.least ? Math.min(DETAILS_ROWS.most, room) : 0;
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

/** The sizes of the dashboard's panes: the menu on the left, the table and its details on the right. */
import { BORDER, type TwoPanes, twoPanes } from "../frame/pane.js";
import type { Size } from "../terminal/terminal.js";

const MENU_WIDTH = 24;
/** Maximum and minimum height of the details pane in rows. The table is at least as high. */
const DETAILS_ROWS = { most: 13, least: 8 };

export interface Layout extends TwoPanes {
  /** Heights with borders. `detailsHeight` is 0 if the details do not fit. */
  readonly tableHeight: number;
  readonly detailsHeight: number;
  readonly textWidth: number;
  readonly tableRows: number;
  readonly detailsRows: number;
}

export function layoutOf(size: Size, hasDetails: boolean): Layout {
  const panes = twoPanes(size, MENU_WIDTH);
  const half = Math.min(DETAILS_ROWS.most, Math.floor(panes.height / 2));
  const detailsHeight = hasDetails && half >= DETAILS_ROWS.least ? half : 0;
  const tableHeight = panes.height - detailsHeight;
  return {
    ...panes,
    tableHeight,
    detailsHeight,
    textWidth: panes.right - BORDER.columns,
    tableRows: tableHeight - BORDER.rows,
    detailsRows: Math.max(0, detailsHeight - BORDER.rows),
  };
}

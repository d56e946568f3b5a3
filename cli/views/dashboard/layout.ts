/** The sizes of the dashboard's panes: the menu on the left, the table and its details on the right. */
import { BORDER, type TwoPanes, twoPanes } from "../frame/pane.js";
import type { Size } from "../terminal/terminal.js";
import type { AnyPane } from "./pane.js";

const MENU_WIDTH = 24;
/** Maximum height of the details pane, and minimum height of the table and of the details pane, in rows. */
const DETAILS_ROWS = { most: 13, least: 8 };

export interface Layout extends TwoPanes {
  /** Heights with borders. `detailsHeight` is 0 if the details do not fit. */
  readonly tableHeight: number;
  readonly detailsHeight: number;
  readonly textWidth: number;
  readonly tableRows: number;
  readonly detailsRows: number;
}

export function layoutOf(size: Size, { details }: AnyPane): Layout {
  const panes = twoPanes(size, MENU_WIDTH);
  const room = panes.height - DETAILS_ROWS.least;
  const detailsHeight = details && room >= DETAILS_ROWS.least ? Math.min(DETAILS_ROWS.most, room) : 0;
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

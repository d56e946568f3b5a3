/** Where the panes of the dashboard stand. */
import type { Size } from "../kit/controller.js";
import { FRAME } from "../kit/pane.js";

/** Columns below which menu and pane are shown one at a time. */
const NARROW = 90;
const MENU_WIDTH = 24;
/** The header, and the two lines at the foot. */
const OTHER_ROWS = 3;
/** Rows of the lower pane, and the least that it leaves to the table. */
const DETAIL = { rows: 13, least: 8 };

export interface Layout {
  isNarrow: boolean;
  menuWidth: number;
  width: number;
  /** Rows of a pane that stands alone, its frame included. */
  height: number;
  /** Rows of the table's pane and of the one below it; 0 where there is no room for it. */
  tableHeight: number;
  detailHeight: number;
  /** Rows of the table without its titles. */
  rows: number;
}

/** @param hasDetail whether the pane says more about a row */
export function layoutOf({ columns, rows }: Size, hasDetail: boolean): Layout {
  const isNarrow = columns < NARROW;
  const height = rows - OTHER_ROWS;
  const room = height - DETAIL.least;
  const detailHeight = hasDetail && room >= DETAIL.least ? Math.min(DETAIL.rows, room) : 0;
  const tableHeight = height - detailHeight;
  return {
    isNarrow,
    menuWidth: isNarrow ? columns : MENU_WIDTH,
    width: isNarrow ? columns : columns - MENU_WIDTH,
    height,
    tableHeight,
    detailHeight,
    rows: tableHeight - FRAME.rows - 1,
  };
}

/** The sizes of the panes: the menu on the left, then the list and the detail pane. */
import type { Size } from "../terminal/terminal.js";

const MENU_WIDTH = 24;
/** A window with fewer columns shows neither the menu nor a detail pane beside the list. */
const WIDE_COLUMNS = 90;
/** Rows outside the panes: the header, the two foot lines, and the last row, which views leave empty. */
const ROWS_OUTSIDE_PANES = 4;
/** Maximum and minimum height of a detail pane below the list. The list is at least as high. */
const DETAIL_ROWS = { most: 13, least: 8 };
/** Width of a list beside its details: a share of the window. */
const LIST_WIDTH = { share: 0.45, most: 90 };

/** Sizes with borders. A hidden menu or list has none. */
export interface Layout {
  readonly isNarrow: boolean;
  readonly menu?: Size;
  readonly list?: Size;
  /** Also set while the pane is hidden. */
  readonly detail: Size;
  readonly showsDetail: boolean;
}

export interface LayoutOptions {
  hasMenu: boolean;
  /** The position of the detail pane. `instead`: the pane replaces the list while it has the focus. */
  detail: "beside" | "below" | "instead";
  focus: "menu" | "list" | "detail";
}

export function layoutOf({ columns, rows: windowRows }: Size, options: LayoutOptions): Layout {
  const { hasMenu, detail, focus } = options;
  const rows = windowRows - ROWS_OUTSIDE_PANES;
  const isNarrow = columns < WIDE_COLUMNS;
  const window = { columns, rows };
  if (isNarrow && focus === "menu") return { isNarrow, menu: window, detail: window, showsDetail: false };
  const menu = hasMenu && !isNarrow ? { columns: MENU_WIDTH, rows } : undefined;
  const all = { columns: columns - (menu?.columns ?? 0), rows };
  const shared = { isNarrow, ...(menu && { menu }) };
  const left = Math.min(LIST_WIDTH.most, Math.floor(all.columns * LIST_WIDTH.share));
  const below = Math.min(DETAIL_ROWS.most, Math.floor(rows / 2));
  const both = (list: Size, size: Size) => ({ ...shared, list, detail: size, showsDetail: true });
  if (detail === "beside" && !isNarrow)
    return both({ columns: left, rows }, { columns: all.columns - left, rows });
  if (detail === "below" && below >= DETAIL_ROWS.least)
    return both({ ...all, rows: rows - below }, { ...all, rows: below });
  const showsDetail = focus === "detail";
  return { ...shared, ...(!showsDetail && { list: all }), detail: all, showsDetail };
}

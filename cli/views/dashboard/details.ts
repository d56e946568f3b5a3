/** Computes which lines of the selected row's details are visible. */
import type { Line } from "../kit/text/spans.js";
import type { Size } from "../terminal/size.js";
import { layoutOf } from "./layout.js";
import type { Sources } from "./pane-definition.js";
import { currentPane, type DashboardState, rowIdOf, selectedItem } from "./state.js";

export interface VisibleDetails {
  /** Identifies the row; undefined if no row is selected. */
  rowId: string | undefined;
  lines: readonly Line[];
  /** Index of the first visible line, number of lines that fit, and number of lines below them. */
  top: number;
  rows: number;
  below: number;
}

/** @param now milliseconds since 1970 */
export function detailsOf(state: DashboardState, sources: Sources, size: Size, now: number): VisibleDetails {
  const pane = currentPane(state);
  const item = selectedItem(state);
  const { textWidth, detailsRows: rows } = layoutOf(size, pane.details !== undefined);
  const all = item === undefined ? [] : (pane.details?.(item, sources, now, textWidth) ?? []);
  const rowId = rowIdOf(pane, item);
  const last = Math.max(0, all.length - rows);
  const { scrolled } = state;
  const top = scrolled.rowId === rowId ? Math.min(scrolled.top, last) : 0;
  return { rowId, lines: all.slice(top, top + rows), top, rows, below: last - top };
}

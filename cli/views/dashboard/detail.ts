/** What is shown of the details of the selected row. */
import { FRAME } from "../kit/pane.js";
import type { Line } from "../kit/spans.js";
import { layoutOf } from "./layout.js";
import { currentPane, type DashboardState, dataOf } from "./state.js";

export interface Detail {
  /** The row that it is about, among those of all panes. */
  id: string;
  lines: readonly Line[];
  /** First line that is shown, how many have room, and how many are below them. */
  top: number;
  rows: number;
  below: number;
}

/** @param now milliseconds since 1970 */
export function detailOf(state: DashboardState, now: number): Detail {
  const pane = currentPane(state);
  const { items, selected } = dataOf(state, pane.id);
  const { width, detailHeight } = layoutOf(state.size, pane.detail !== undefined);
  const item = items[selected];
  const lines =
    item === undefined ? [] : (pane.detail?.(item, state.sources, now, width - FRAME.columns) ?? []);
  const id = item === undefined ? "" : `${pane.id} ${pane.idOf(item)}`;
  const rows = Math.max(0, detailHeight - FRAME.rows);
  const last = Math.max(0, lines.length - rows);
  const top = state.detail.id === id ? Math.min(state.detail.top, last) : 0;
  return { id, lines, top, rows, below: last - top };
}

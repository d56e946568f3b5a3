/** The menu of the dashboard. */
import type { ReactNode } from "react";
import { BORDER } from "../kit/layout.js";
import { Pane } from "../kit/pane.js";
import { windowStart } from "../kit/text/list-window.js";
import { justified, type Line, row, span } from "../kit/text/spans.js";
import { THEME } from "../kit/text/theme.js";
import type { Layout } from "./layout.js";
import type { AnyPane } from "./pane-definition.js";
import { PANES } from "./panes.js";
import { type DashboardState, dataOf } from "./state.js";

export interface MenuPaneProps {
  state: DashboardState;
  layout: Layout;
}

export function MenuPane({ state, layout }: MenuPaneProps): ReactNode {
  const { current, focus } = state;
  const width = layout.menuWidth - BORDER.columns;
  const isFocused = focus === "menu";
  const rows = layout.height - BORDER.rows;
  const first = windowStart(current, PANES.length, rows, 0);
  const lines = PANES.map((pane, i) => {
    const title: Line = [span(`${i + 1} `, THEME.faint), span(pane.title)];
    const line = justified(title, [span(countText(state, pane), THEME.faint)], width - 1);
    return row(line, width, i === current, isFocused);
  });
  const visible = lines.slice(first, first + rows);
  return (
    <Pane
      title="Menu"
      width={layout.menuWidth}
      height={layout.height}
      isFocused={isFocused}
      lines={visible}
    />
  );
}

function countText(state: DashboardState, pane: AnyPane): string {
  const { items, isLoaded, failure } = dataOf(state, pane);
  if (!isLoaded || failure || pane.id === "account") return "";
  return String(pane.isCounted ? items.filter((item) => pane.isCounted!(item)).length : items.length);
}

/**
 * Renders the dashboard: the menu on the left, and on the right the current pane with the selected row's
 * details. A narrow window shows either the menu or the pane.
 */
import { Box } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { BORDER } from "../frame/layout.js";
import { windowStart } from "../frame/list-window.js";
import { Pane } from "../frame/pane.js";
import { useStore } from "../frame/store.js";
import { useNow } from "../frame/use-now.js";
import { useShell, useWindowSize, ViewFrame } from "../frame/view-frame.js";
import { justified, type Line, paragraphs, row, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import { Dashboard, type PaneRows } from "./dashboard.js";
import { dashboardKeys } from "./keys.js";
import { type Layout, layoutOf } from "./layout.js";
import type { AnyPane, Sources } from "./pane.js";
import { PANES } from "./panes.js";
import { tableOf } from "./table.js";

export interface DashboardViewProps {
  sources: Sources;
  /** E-mail address of the human. */
  email: string;
}

export function DashboardView({ sources, email }: DashboardViewProps): ReactNode {
  const shell = useShell();
  const [dashboard] = useState(() => new Dashboard(sources, shell));
  useEffect(() => {
    void dashboard.loader.run();
    return () => dashboard.loader.stop();
  }, [dashboard]);
  const { focus } = useStore(dashboard.store);
  const layout = layoutOf(useWindowSize(), dashboard.pane);
  return (
    <ViewFrame name="dashboard" who={email} bindings={dashboardKeys(dashboard)}>
      {(!layout.isNarrow || focus === "menu") && <Menu {...{ dashboard, layout }} />}
      {(!layout.isNarrow || focus === "content") && <Content {...{ dashboard, layout }} />}
    </ViewFrame>
  );
}

interface PartProps {
  dashboard: Dashboard;
  layout: Layout;
}

function Menu({ dashboard, layout }: PartProps): ReactNode {
  const { current, focus } = dashboard.state;
  const width = layout.menuWidth - BORDER.columns;
  const isFocused = focus === "menu";
  const first = windowStart(current, PANES.length, layout.height - BORDER.rows, 0);
  const lines = PANES.map((pane, i) => {
    const title: Line = [span(`${i + 1} `, THEME.faint), span(pane.title)];
    const count = span(countText(pane, dashboard.rowsOf(pane)), THEME.faint);
    return row(justified(title, [count], width - 1), width, i === current, isFocused);
  });
  return (
    <Pane
      title="Menu"
      width={layout.menuWidth}
      height={layout.height}
      isFocused={isFocused}
      lines={lines.slice(first)}
    />
  );
}

function countText({ isCounted = () => true }: AnyPane, { items, isLoaded, failure }: PaneRows): string {
  if (!isCounted || !isLoaded || failure) return "";
  return String(items.filter((item) => isCounted(item)).length);
}

function Content({ dashboard, layout }: PartProps): ReactNode {
  const { pane, sources } = dashboard;
  const rows = dashboard.rowsOf(pane);
  const { items, selected } = rows;
  const { textWidth: width, tableRows: height } = layout;
  const now = useNow();
  const table = tableOf({ pane, items, sources, now, width, height });
  const first = windowStart(selected, items.length, table.rows, rows.first);
  const below = items.length - first - table.rows;
  const isFocused = dashboard.state.focus === "content";
  const lines = table.lines
    .slice(first, first + table.rows)
    .flatMap((each, i) => each.map((line) => row(line, width, first + i === selected, isFocused)));
  const details = dashboard.details(layout, now);
  return (
    <Box flexDirection="column">
      <Pane
        title={pane.title}
        aside={below > 0 ? `${below} below` : ""}
        width={layout.contentWidth}
        height={layout.tableHeight}
        isFocused={isFocused}
        lines={
          linesWithoutRows(pane, rows, width) ??
          (table.titles ? [[span(" "), ...table.titles], ...lines] : lines)
        }
      />
      {layout.detailsHeight > 0 && (
        <Pane
          title="Details"
          aside={
            details.below > 0 ? `${details.below} ${details.below === 1 ? "line" : "lines"} below: J` : ""
          }
          width={layout.contentWidth}
          height={layout.detailsHeight}
          isFocused={false}
          lines={details.lines}
        />
      )}
    </Box>
  );
}

/** Returns the lines that a pane without rows shows. Returns undefined if the pane has rows. */
function linesWithoutRows(
  { emptyText }: AnyPane,
  { items, isLoaded, failure }: PaneRows,
  width: number,
): Line[] | undefined {
  if (failure)
    return [
      ...paragraphs([`${failure.message} (${failure.code})`], width, THEME.bad),
      [],
      ...paragraphs(failure.hints, width),
    ];
  if (!isLoaded) return [[span("loading …", THEME.faint)]];
  return items.length === 0 ? paragraphs([emptyText], width) : undefined;
}

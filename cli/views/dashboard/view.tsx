/**
 * Renders the dashboard: the menu on the left, and on the right the current pane with the selected row's
 * details. A narrow window shows either the menu or the pane.
 */
import { Box } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import type { Wireroom } from "../../../sdk/src/index.js";
import type { Session } from "../../session.js";
import { checkTerminal, runFullScreen } from "../frame/full-screen.js";
import { useNow, useStore } from "../frame/hooks.js";
import { BORDER, ListPane, Pane } from "../frame/pane.js";
import { ViewFrame, type ViewProps } from "../frame/view-frame.js";
import { justified, type Line, paragraphs, span, THEME } from "../styled-text/spans.js";
import { Dashboard, type PaneRows } from "./dashboard.js";
import { dashboardKeys } from "./keys.js";
import type { Layout } from "./layout.js";
import type { AnyPane, Sources } from "./pane.js";
import { PANES } from "./panes.js";
import { tableOf } from "./table.js";

export async function showDashboard(session: Session): Promise<void> {
  checkTerminal(session, "dashboard", ["wireroom whoami", "wireroom handle list", "wireroom key list"]);
  const human = await session.dashboard();
  const { email } = await human.account.get();
  let agent: Promise<Wireroom> | undefined;
  const sources: Sources = {
    session,
    human,
    handles: new Map(),
    agent() {
      agent ??= session.agent().catch((error: unknown) => {
        // A failure is not kept.
        agent = undefined;
        throw error;
      });
      return agent;
    },
    resetAgent() {
      agent = undefined;
    },
  };
  await runFullScreen(session, (props) => <DashboardView {...props} sources={sources} email={email} />);
}

export interface DashboardViewProps extends ViewProps {
  sources: Sources;
  /** E-mail address of the human. */
  email: string;
}

export function DashboardView({ shell, size, sources, email }: DashboardViewProps): ReactNode {
  const [dashboard] = useState(() => new Dashboard(sources, shell));
  useEffect(() => {
    void dashboard.loader.run();
    return () => dashboard.loader.stop();
  }, [dashboard]);
  const { focus } = useStore(dashboard.store);
  const { layout } = dashboard;
  return (
    <ViewFrame {...{ shell, size }} name="dashboard" who={email} bindings={() => dashboardKeys(dashboard)}>
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
  const { left: width, height } = layout;
  const linesOf = (index: number) => {
    const pane = PANES[index]!;
    const title: Line = [span(`${index + 1} `, THEME.faint), span(pane.title)];
    const count = span(countText(pane, dashboard.rowsOf(pane)), THEME.faint);
    return [justified(title, [count], width - BORDER.columns - 1)];
  };
  const rows = height - BORDER.rows;
  const list = { count: PANES.length, selected: current, rows, position: dashboard.menuPosition, linesOf };
  return <ListPane {...{ width, height, list }} title="Menu" isFocused={focus === "menu"} empty={[]} />;
}

function countText({ isCounted = () => true }: AnyPane, { items, isLoaded, failure }: PaneRows): string {
  if (!isCounted || !isLoaded || failure) return "";
  return String(items.filter((item) => isCounted(item)).length);
}

function Content({ dashboard, layout }: PartProps): ReactNode {
  const { pane, sources } = dashboard;
  const rows = dashboard.rowsOf(pane);
  const items = rows.failure ? [] : rows.items;
  const now = useNow();
  const { lines, titles, rows: visible } = tableOf({ pane, items, sources, now, layout });
  const { below, lines: details } = dashboard.details(layout, now);
  const width = layout.right;
  return (
    <Box flexDirection="column">
      <ListPane
        title={pane.title}
        width={width}
        height={layout.tableHeight}
        isFocused={dashboard.state.focus === "content"}
        list={{
          count: items.length,
          selected: rows.selected,
          rows: visible,
          position: dashboard.positionOf(pane),
          linesOf: (index) => lines[index]!,
        }}
        head={titles && items.length > 0 ? [[span(" "), ...titles]] : []}
        empty={emptyLines(pane, rows, layout.textWidth)}
      />
      {layout.detailsHeight > 0 && (
        <Pane
          title="Details"
          aside={below > 0 ? `${below} ${below === 1 ? "line" : "lines"} below: J` : ""}
          width={width}
          height={layout.detailsHeight}
          isFocused={false}
          lines={details}
        />
      )}
    </Box>
  );
}

function emptyLines({ emptyText }: AnyPane, { isLoaded, failure }: PaneRows, width: number): Line[] {
  if (failure)
    return [
      ...paragraphs([`${failure.message} (${failure.code})`], width, THEME.bad),
      [],
      ...paragraphs(failure.hints, width),
    ];
  return isLoaded ? paragraphs([emptyText], width) : [[span("loading …", THEME.faint)]];
}

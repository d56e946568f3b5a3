/**
 * Renders the current pane of the dashboard: a table of rows, and below it the details of the selected row.
 */
import { Box } from "ink";
import type { ReactNode } from "react";
import { Pane } from "../kit/pane.js";
import { windowStart } from "../kit/text/list-window.js";
import { type Line, paragraphs, span } from "../kit/text/spans.js";
import { THEME } from "../kit/text/theme.js";
import { useNow } from "../kit/use-now.js";
import { useWindowSize } from "../kit/view-frame.js";
import { detailsOf } from "./details.js";
import type { Layout } from "./layout.js";
import type { AnyPane, Sources } from "./pane-definition.js";
import { currentPane, type DashboardState, dataOf, type PaneData } from "./state.js";
import { type TableInput, tableLayout, tableLines } from "./table.js";

export interface ContentPaneProps {
  state: DashboardState;
  sources: Sources;
  layout: Layout;
}

export function ContentPane({ state, sources, layout }: ContentPaneProps): ReactNode {
  const pane = currentPane(state);
  const data = dataOf(state, pane);
  const now = useNow(timesOf(pane, data));
  const { textWidth: width, tableRows: height } = layout;
  const input: TableInput = { pane, items: data.items, sources, now, width, height };
  const table = tableLayout(input);
  const first = windowStart(data.selected, data.items.length, table.rows, data.first);
  const below = data.items.length - first - table.rows;
  const isFocused = state.focus === "content";
  const rows = () => tableLines(table, input, { first, selected: data.selected, isFocused });
  return (
    <Box flexDirection="column">
      <Pane
        title={pane.title}
        aside={below > 0 ? `${below} below` : ""}
        width={layout.contentWidth}
        height={layout.tableHeight}
        isFocused={isFocused}
        lines={replacementLines(pane, data, width) ?? rows()}
      />
      {layout.detailsHeight > 0 && <DetailsPane {...{ state, sources, layout, now }} />}
    </Box>
  );
}

function timesOf(pane: AnyPane, { items }: PaneData): string[] {
  return items
    .flatMap((item): readonly (string | null)[] => pane.times?.(item) ?? [])
    .filter((time) => time !== null);
}

/** Returns the lines that a pane without rows shows. Returns undefined if the pane has rows. */
function replacementLines(
  { emptyText }: AnyPane,
  { items, isLoaded, failure }: PaneData,
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

function DetailsPane({ state, sources, layout, now }: ContentPaneProps & { now: number }): ReactNode {
  const { lines, below } = detailsOf(state, sources, useWindowSize(), now);
  return (
    <Pane
      title="Details"
      aside={below > 0 ? `${below} lines below: J` : ""}
      width={layout.contentWidth}
      height={layout.detailsHeight}
      isFocused={false}
      lines={lines}
    />
  );
}

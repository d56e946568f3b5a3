/** The dashboard: the menu at the left, the chosen pane at the right, and below it more about the chosen row. */
import { Box } from "ink";
import type { ReactNode } from "react";
import { Dialog, dialogText, FormView, paragraphs, QuestionView } from "../kit/dialog.js";
import { Foot, HelpView } from "../kit/foot.js";
import type { ViewProps } from "../kit/full-screen.js";
import { Header } from "../kit/header.js";
import { FRAME, Pane, row } from "../kit/pane.js";
import { justified, type Line, span } from "../kit/spans.js";
import { tableLines } from "../kit/table.js";
import { THEME } from "../kit/theme.js";
import { detailOf } from "./detail.js";
import { dashboardKeys } from "./keys.js";
import { type Layout, layoutOf } from "./layout.js";
import type { AnyPane } from "./pane.js";
import { PANES } from "./panes.js";
import { currentPane, type DashboardState, dataOf, type PaneData } from "./state.js";

type Props = ViewProps<DashboardState>;

export function DashboardView({ state, now }: Props): ReactNode {
  const { size, focus, form, question, showsHelp, email, secret } = state;
  const pane = currentPane(state);
  const layout = layoutOf(size, pane.detail !== undefined);
  const keys = dashboardKeys(state);
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      <Header view="dashboard" who={email} state={state} now={now} />
      <Box>
        {(!layout.isNarrow || focus === "menu") && <Menu state={state} layout={layout} />}
        {(!layout.isNarrow || focus === "content") && (
          <Content state={state} now={now} pane={pane} layout={layout} />
        )}
      </Box>
      <Foot state={state} now={now} keys={keys} aside={[]} />
      {form && <FormView form={form} size={size} />}
      {question && <QuestionView question={question} size={size} />}
      {secret && <SecretView state={state} />}
      {showsHelp && <HelpView state={state} keys={keys} />}
    </Box>
  );
}

function Menu({ state, layout }: { state: DashboardState; layout: Layout }): ReactNode {
  const { current, focus } = state;
  const width = layout.menuWidth - FRAME.columns;
  const lines = PANES.map((pane, i) => {
    const { items, isLoaded } = dataOf(state, pane.id);
    const counted = pane.counts ? items.filter(pane.counts) : items;
    const count = !isLoaded || pane.id === "account" ? "" : String(counted.length);
    const title: Line = [span(`${i + 1} `, THEME.faint), span(pane.title)];
    return row(
      justified(title, [span(count, THEME.faint)], width - 1),
      width,
      i === current,
      focus === "menu",
    );
  });
  return (
    <Pane
      title="Menu"
      width={layout.menuWidth}
      height={layout.height}
      focused={focus === "menu"}
      lines={lines}
    />
  );
}

interface ContentProps extends Props {
  pane: AnyPane;
  layout: Layout;
}

function Content(props: ContentProps): ReactNode {
  const { state, pane, layout } = props;
  const data = dataOf(state, pane.id);
  const { width, tableHeight, rows } = layout;
  const below = data.items.length - data.first - rows;
  return (
    <Box flexDirection="column">
      <Pane
        title={pane.title}
        aside={below > 0 ? `${below} below` : ""}
        width={width}
        height={tableHeight}
        focused={state.focus === "content"}
        lines={contentLines(props, data)}
      />
      {layout.detailHeight > 0 && <DetailPane {...props} />}
    </Box>
  );
}

function contentLines({ state, now, pane, layout }: ContentProps, data: PaneData): Line[] {
  const { items, selected, first, isLoaded, failure } = data;
  const width = layout.width - FRAME.columns;
  if (failure)
    return [
      [span(`${failure.message} (${failure.code})`, THEME.bad)],
      [],
      ...paragraphs(failure.next, width),
    ];
  if (!isLoaded) return [[span("loading …", THEME.faint)]];
  if (items.length === 0) return paragraphs([pane.none], width);
  const columns = pane.columns(state.sources, now);
  const focused = state.focus === "content";
  return tableLines({ columns, items, selected, first, height: layout.rows, width, focused });
}

function DetailPane({ state, now, layout }: ContentProps): ReactNode {
  const { lines, top, below } = detailOf(state, now);
  return (
    <Pane
      title="Details"
      aside={below > 0 ? `${below} lines below: J` : ""}
      width={layout.width}
      height={layout.detailHeight}
      focused={false}
      lines={lines.slice(top)}
    />
  );
}

/** A secret stands on a line of its own, so that it can be selected. */
function SecretView({ state }: { state: DashboardState }): ReactNode {
  const { secret: shown, size, sources } = state;
  if (!shown) return null;
  const { secret, note } = shown;
  const width = dialogText(size);
  const lines: Line[] = [
    ...paragraphs(secret.lines, width),
    [],
    [span(secret.value, THEME.fresh)],
    [],
    [span("Select it to copy it, or ", THEME.faint)],
    [
      span("s", THEME.key),
      span(` save to profile ${sources.session.profileName}    `),
      span("Esc", THEME.key),
      span(" close"),
    ],
    ...(note === undefined ? [] : [[], ...paragraphs([note], width)]),
  ];
  return <Dialog size={size} title={secret.title} lines={lines} />;
}

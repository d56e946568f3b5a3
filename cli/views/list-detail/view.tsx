/** Renders a view: the menu, the list of the current noun, and the details of the selected row. */
import { Box } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { counted } from "../../output/units.js";
import { useNow, useStore } from "../frame/hooks.js";
import { BORDER, ListPane, Pane } from "../frame/pane.js";
import { fieldLines } from "../frame/text-buffer.js";
import { ViewFrame, type ViewProps } from "../frame/view-frame.js";
import { justified, type Line, paragraphs, span, THEME } from "../styled-text/spans.js";
import type { Size } from "../terminal/terminal.js";
import { viewKeys } from "./keys.js";
import { ListDetail, type Rows } from "./list-detail.js";
import type { AnyNoun } from "./noun.js";
import { tableOf } from "./table.js";

export interface ListDetailViewProps extends ViewProps {
  name: string;
  who: string;
  nouns: readonly AnyNoun[];
  beforeReload?: () => void;
}

export function ListDetailView(props: ListDetailViewProps): ReactNode {
  const { shell, size, name, who, nouns, beforeReload } = props;
  const [view] = useState(() => new ListDetail(shell, nouns, beforeReload));
  useEffect(() => {
    view.run();
    return () => view.stop();
  }, [view]);
  useStore(view.store);
  const { menu, list, showsDetail } = view.layout;
  return (
    <ViewFrame {...{ shell, size, name, who }} bindings={() => viewKeys(view)}>
      {menu && <Menu view={view} size={menu} />}
      <Box flexDirection={view.noun.detail ? "row" : "column"}>
        {list && <List view={view} size={list} />}
        {showsDetail && <DetailPane view={view} />}
      </Box>
    </ViewFrame>
  );
}

interface PaneProps {
  view: ListDetail;
  size: Size;
}

function Menu({ view, size: { columns: width, rows: height } }: PaneProps): ReactNode {
  const { nouns, state } = view;
  const linesOf = (index: number) => {
    const noun = nouns[index]!;
    const title: Line = [span(`${index + 1} `, THEME.faint), span(noun.title)];
    return [
      justified(title, [span(countOf(noun, view.rowsOf(noun)), THEME.faint)], width - BORDER.columns - 1),
    ];
  };
  const list = { count: nouns.length, selected: state.current, linesOf };
  const position = view.positionOf("menu");
  position.rows = height - BORDER.rows;
  const frame = { title: "Menu", width, height, isFocused: state.focus === "menu" };
  return <ListPane {...frame} {...{ list, position }} empty={[]} />;
}

function countOf({ isCounted = () => true }: AnyNoun, { items, isLoaded, failure }: Rows): string {
  if (!isCounted || !isLoaded || failure) return "";
  return String(items.filter((item) => isCounted(item)).length);
}

function List({ view, size: { columns: width, rows: height } }: PaneProps): ReactNode {
  const { noun, shown, state } = view;
  const room = { columns: width - BORDER.columns, rows: height - BORDER.rows - (state.filter ? 2 : 0) };
  const rows = view.rowsOf(noun);
  const { linesOf, titles, rows: visible } = tableOf(noun, shown, useNow(), room);
  const position = view.positionOf(noun.id);
  position.rows = visible;
  const note = state.filter?.value ? `${shown.length} of ${rows.items.length} match` : noun.note?.();
  return (
    <ListPane
      title={noun.title}
      aside={note ?? ""}
      width={width}
      height={height}
      isFocused={state.focus === "list"}
      list={{ count: shown.length, selected: view.index, linesOf }}
      position={position}
      head={[
        ...filterLines(view, room.columns),
        ...(titles && shown.length > 0 ? [[span(" "), ...titles]] : []),
      ]}
      empty={emptyLines(noun, rows, room.columns)}
    />
  );
}

function filterLines({ state: { filter, isFiltering } }: ListDetail, width: number): Line[] {
  if (!filter) return [];
  const [line = { before: "", at: "", after: "" }] = fieldLines(filter, width - 2, 1);
  const caret = span(line.at ?? " ", isFiltering ? { inverse: true } : {});
  return [[span("/ ", THEME.key), span(line.before), caret, span(line.after)], []];
}

function emptyLines({ emptyText }: AnyNoun, { isLoaded, items, failure }: Rows, width: number): Line[] {
  if (failure)
    return [
      ...paragraphs([`${failure.message} (${failure.code})`], width, THEME.bad),
      [],
      ...paragraphs(failure.hints, width),
    ];
  if (!isLoaded) return [[span("loading …", THEME.faint)]];
  return paragraphs([items.length > 0 ? "No row matches." : emptyText], width, THEME.faint);
}

function DetailPane({ view }: { view: ListDetail }): ReactNode {
  useNow();
  const { detail, place, extent, rows } = view.content;
  const { columns: width, rows: height } = view.layout.detail;
  const { starts, lines } = extent;
  const isFocused = view.state.focus === "detail";
  const top = Math.min(place.top, Math.max(0, lines.length - rows));
  const below = lines.length - top - rows;
  const isMarked = (index: number) =>
    index >= starts[place.selected]! && index < (starts[place.selected + 1] ?? lines.length + 1) - 1;
  const shown = lines
    .slice(top, top + rows)
    .map((line, i) =>
      isFocused && detail?.isSelectable && isMarked(top + i)
        ? [span("▌ ", THEME.accent), ...line.slice(1)]
        : line,
    );
  const rest = below > 0 ? [`${counted(below, "line")} below: J`] : [];
  const aside = [...(detail?.notes ?? []), ...rest].join(" · ");
  return <Pane {...{ width, height, isFocused, aside, lines: shown }} title={detail?.title ?? "Details"} />;
}

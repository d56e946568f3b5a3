/** Renders the pane that lists the inbox items. */
import { Text } from "ink";
import { memo, type ReactNode } from "react";
import { relative } from "../../output/units.js";
import { BORDER } from "../frame/layout.js";
import { windowStart } from "../frame/list-window.js";
import { Frame } from "../frame/pane.js";
import { fieldLines } from "../frame/text-buffer.js";
import { useNow } from "../frame/use-now.js";
import { Lines, LineText } from "../styled-text/line.js";
import { fitted, justified, type Line, row, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import { type Entry, senderOf, summaryOf, timeOf } from "./items.js";
import type { Layout } from "./layout.js";
import { countRows, type InboxState, shownEntries } from "./state.js";

/** Column widths of sender and time. `NARROW` is used for lists with fewer than `NARROW_WIDTH` columns. */
const WIDE = { sender: 14, time: 8 };
const NARROW = { sender: 10, time: 7 };
const NARROW_WIDTH = 48;

export interface ListPaneProps {
  state: InboxState;
  layout: Layout;
  /** Whether the inbox has been read. */
  hasRead: boolean;
}

export function ListPane({ state, layout, hasRead }: ListPaneProps): ReactNode {
  const { filter, focus, selected, entries } = state;
  const shown = shownEntries(state);
  const width = layout.listWidth - BORDER.columns;
  const rows = layout.rows - (filter ? 2 : 0);
  const index = shown.findIndex(({ id }) => id === selected);
  const first = windowStart(Math.max(0, index), shown.length, rows, state.first);
  const visible = shown.slice(first, first + rows);
  const now = useNow();
  const isFocused = focus === "list";
  const empty = entries.length > 0 ? "No item matches." : "Nothing new. What arrives is shown here.";
  return (
    <Frame
      title="Inbox"
      aside={countText(state, shown.length - first - rows)}
      width={layout.listWidth}
      height={layout.height}
      isFocused={isFocused}
    >
      <Lines lines={filterLines(state, width)} />
      {visible.map((entry) => (
        <Row
          key={entry.id}
          entry={entry}
          width={width}
          time={relative(timeOf(entry.item), now)}
          isSelected={entry.id === selected}
          isFocused={isFocused}
        />
      ))}
      {visible.length === 0 && hasRead && <Text dimColor>{empty}</Text>}
    </Frame>
  );
}

interface RowProps {
  entry: Entry;
  width: number;
  time: string;
  isSelected: boolean;
  isFocused: boolean;
}

/** One row of the list. `memo` skips unchanged rows, because measuring text width is slow. */
const Row = memo(
  ({ entry, width, time, isSelected, isFocused }: RowProps): ReactNode => (
    <LineText line={row(entryLine(entry, width - 1, time), width, isSelected, isFocused)} />
  ),
  (before, after) =>
    before.entry === after.entry &&
    before.width === after.width &&
    before.time === after.time &&
    before.isSelected === after.isSelected &&
    (before.isFocused === after.isFocused || !after.isSelected),
);

/** Returns the numbers of pending items and of rows below the visible ones: `12 pending · 3 below`. */
function countText({ entries, hasMorePending }: InboxState, below: number): string {
  if (entries.length === 0) return "";
  const pending = countRows(entries.filter(({ isAcknowledged }) => !isAcknowledged));
  const count = `${pending}${hasMorePending ? "+" : ""} pending`;
  return below > 0 ? `${count} · ${below} below` : count;
}

function filterLines({ filter, isFiltering }: InboxState, width: number): Line[] {
  if (!filter) return [];
  const [line = { before: "", at: "", after: "" }] = fieldLines(filter, width - 2, 1);
  const caret = span(line.at ?? " ", isFiltering ? { inverse: true } : {});
  return [[span("/ ", THEME.key), span(line.before), caret, span(line.after)], []];
}

function entryLine(entry: Entry, width: number, relativeTime: string): Line {
  const { isAcknowledged } = entry;
  const columns = width < NARROW_WIDTH ? NARROW : WIDE;
  const time = relativeTime.replace(/ ago$/, "").padStart(columns.time);
  const sender = senderOf(entry);
  const who =
    sender === undefined
      ? span("removed", THEME.faint)
      : span(`@${sender}`, isAcknowledged ? THEME.faint : THEME.name);
  return justified(
    [mark(entry), ...fitted([who], columns.sender), span(" "), ...summaryLine(entry)],
    [span(time, THEME.faint)],
    width,
  );
}

function mark({ isAcknowledged, isNew }: Entry) {
  if (isAcknowledged) return span("✓ ", THEME.faint);
  return isNew ? span("● ", THEME.fresh) : span("○ ", THEME.faint);
}

function summaryLine(entry: Entry): Line {
  const { item, isAcknowledged, isNew } = entry;
  const isFaint = isAcknowledged || item.kind === "tombstone_notice";
  const summary = span(summaryOf(entry), isFaint ? THEME.faint : isNew ? THEME.title : {});
  if (item.kind !== "knock") return [summary];
  const { status } = item.knock;
  return [
    span("knock ", isAcknowledged ? THEME.faint : THEME.knock),
    ...(status === "pending" ? [] : [span(`${status} `, THEME.faint)]),
    summary,
  ];
}

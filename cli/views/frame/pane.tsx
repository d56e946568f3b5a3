/** Panes: parts of a view with a border and a title. A pane shows lines, or a list with a selected row. */
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { Lines } from "../styled-text/lines.js";
import { type Line, row, THEME } from "../styled-text/spans.js";
import type { Size } from "../terminal/terminal.js";

export const SMALLEST: Size = { columns: 40, rows: 12 };

/** Columns and rows that a border takes, including one space to the left and right of the text. */
export const BORDER: Size = { columns: 4, rows: 2 };

export interface PaneProps {
  title: string;
  aside?: string;
  width: number;
  height: number;
  isFocused: boolean;
  lines: readonly Line[];
}

export interface List {
  readonly count: number;
  readonly selected: number;
  linesOf(index: number): readonly Line[];
}

/** The visible part of a list. */
export interface ListPosition {
  /** The first visible row of the last frame. The pane updates it. */
  first: number;
  /** The number of rows that fit. */
  rows: number;
}

export interface ListPaneProps extends Omit<PaneProps, "lines"> {
  list: List;
  position: ListPosition;
  /** Lines above the list, and lines that are shown instead of an empty list. */
  head?: readonly Line[];
  empty: readonly Line[];
}

export function ListPane({
  list,
  position,
  head = [],
  empty,
  aside = "",
  ...frame
}: ListPaneProps): ReactNode {
  const { count, selected } = list;
  const { rows } = position;
  position.first = windowStart(selected, count, rows, position.first);
  const { first } = position;
  const visible = Array.from({ length: Math.min(rows, count - first) }, (_, i) => first + i);
  const width = frame.width - BORDER.columns;
  const lines = visible.flatMap((index) =>
    list.linesOf(index).map((line) => row(line, width, index === selected, frame.isFocused)),
  );
  const below = count - first - rows;
  const hidden = below > 0 ? [`${below} below`] : first > 0 ? [`${first} above`] : [];
  const counts = [...(aside ? [aside] : []), ...hidden];
  return <Pane {...frame} aside={counts.join(" · ")} lines={[...head, ...(count === 0 ? empty : lines)]} />;
}

/** Scrolls as little as possible to make `selected` visible. */
function windowStart(selected: number, count: number, height: number, previous: number): number {
  const last = Math.max(0, count - height);
  const start = Math.min(previous, last, Math.max(0, selected));
  return Math.max(0, start, selected - height + 1);
}

export const MOVES = ["up", "down", "j", "k", "page-up", "page-down", "home", "end", "g", "G"];

export function moved(selected: number, key: string, count: number, page: number): number {
  const target =
    {
      up: selected - 1,
      k: selected - 1,
      down: selected + 1,
      j: selected + 1,
      "page-up": selected - Math.max(1, page - 1),
      "page-down": selected + Math.max(1, page - 1),
      home: 0,
      g: 0,
      end: count - 1,
      G: count - 1,
    }[key] ?? selected;
  return Math.max(0, Math.min(count - 1, target));
}

export function Pane({ title, aside = "", width, height, isFocused, lines }: PaneProps): ReactNode {
  const edge = isFocused ? { color: THEME.accent.color } : { dimColor: true };
  const border = isFocused ? { borderColor: THEME.accent.color } : { borderDimColor: true };
  const noSides = { borderBottom: false, borderLeft: false, borderRight: false };
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Box height={1}>
        <Box flexShrink={0}>
          <Text {...edge}>╭─</Text>
        </Box>
        <Box flexShrink={1}>
          <Text wrap="truncate" bold {...(isFocused && edge)}>{` ${title} `}</Text>
        </Box>
        <Box flexGrow={1} flexBasis={0} height={1} borderStyle="round" {...noSides} {...border} />
        <Box flexShrink={0}>
          {aside !== "" && <Text dimColor>{` ${aside} `}</Text>}
          <Text {...edge}>─╮</Text>
        </Box>
      </Box>
      <Box flexGrow={1} flexDirection="column" borderStyle="round" borderTop={false} paddingX={1} {...border}>
        <Lines lines={lines.slice(0, Math.max(0, height - BORDER.rows))} />
      </Box>
    </Box>
  );
}

/** A pane: a part of a view, with a border and a title. */
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { Lines } from "../styled-text/line.js";
import type { Line } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";

export interface PaneProps {
  title: string;
  /** Text at the right end of the title line, such as a count. */
  aside?: string;
  width: number;
  height: number;
  /** Whether the pane has the focus. */
  isFocused: boolean;
  /** The pane's lines. Lines that do not fit are not shown. */
  lines: readonly Line[];
}

export function Pane({ lines, height, ...frame }: PaneProps): ReactNode {
  return (
    <Frame {...frame} height={height}>
      <Lines lines={lines.slice(0, Math.max(0, height - 2))} />
    </Frame>
  );
}

export interface FrameProps extends Omit<PaneProps, "lines"> {
  children: ReactNode;
}

/** Renders the border of a pane or dialog, with the title in its top edge. */
export function Frame({ title, aside = "", width, height, isFocused, children }: FrameProps): ReactNode {
  const edge = isFocused ? { color: THEME.accent.color } : { dimColor: true };
  const border = isFocused ? { borderColor: THEME.accent.color } : { borderDimColor: true };
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Box height={1}>
        <Box flexShrink={0}>
          <Text {...edge}>╭─</Text>
        </Box>
        <Box flexShrink={1}>
          <Text wrap="truncate" bold {...(isFocused && edge)}>{` ${title} `}</Text>
        </Box>
        <Box
          flexGrow={1}
          flexBasis={0}
          height={1}
          borderStyle="round"
          borderBottom={false}
          borderLeft={false}
          borderRight={false}
          {...border}
        />
        <Box flexShrink={0}>
          {aside !== "" && <Text dimColor>{` ${aside} `}</Text>}
          <Text {...edge}>─╮</Text>
        </Box>
      </Box>
      <Box flexGrow={1} flexDirection="column" borderStyle="round" borderTop={false} paddingX={1} {...border}>
        {children}
      </Box>
    </Box>
  );
}

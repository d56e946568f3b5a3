/** Renders lines of styled text. */
import { Box, Text } from "ink";
import { createElement, memo, type ReactNode } from "react";
import type { Line, Span } from "./spans.js";

export function Lines({ lines }: { lines: readonly Line[] }): ReactNode {
  // Children that are passed as separate arguments need no React key, because React identifies them by
  // position.
  const texts = lines.map((line) => createElement(LineText, { line }));
  return createElement(Box, { flexDirection: "column" }, ...texts);
}

/** Renders one line. `memo` compares texts and styles, so that unchanged lines are not rendered again. */
export const LineText = memo(
  ({ line }: { line: Line }): ReactNode =>
    isBlank(line) ? <Text> </Text> : createElement(Text, { wrap: "truncate" }, ...line.map(textOf)),
  (before, after) => isSameLine(before.line, after.line),
);

/** Returns whether a line has no text. Ink would render such a line with a height of 0 rows. */
function isBlank(line: Line): boolean {
  return line.every(({ text }) => text === "");
}

function textOf({ text, style }: Span): ReactNode {
  const { color, bold = false, dim = false, inverse = false } = style;
  return (
    <Text {...(color && { color })} bold={bold} dimColor={dim} inverse={inverse}>
      {text}
    </Text>
  );
}

function isSameLine(a: Line, b: Line): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

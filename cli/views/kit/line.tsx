/** Lines of styled text, as Ink draws them. */
import { Box, Text } from "ink";
import { createElement, type ReactNode } from "react";
import type { Line, Span } from "./spans.js";

/** Lines below each other. Each is as long as its text: `fitted` it first where it must cover what is below. */
export function LinesView({ lines }: { lines: readonly Line[] }): ReactNode {
  // Given one by one, children need no keys: they are what stands at that place.
  return createElement(Box, { flexDirection: "column" }, ...lines.map(line));
}

function line(spans: Line): ReactNode {
  if (spans.length === 0) return <Text> </Text>;
  return createElement(Text, { wrap: "truncate" }, ...spans.map(piece));
}

function piece({ text, style }: Span): ReactNode {
  const { color, bold = false, dim = false, inverse = false } = style;
  return (
    <Text {...(color && { color })} bold={bold} dimColor={dim} inverse={inverse}>
      {text}
    </Text>
  );
}

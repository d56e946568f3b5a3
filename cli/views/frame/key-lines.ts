/** Formats key bindings as lines: each key with its label. */

import { type Line, type Span, span, widthOf } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import type { KeyBinding } from "./key-bindings.js";

const GAP = 3;

/** Returns lines of at most `width` columns that list all bindings with a label. */
export function keyLines(bindings: readonly KeyBinding[], width: number): Line[] {
  const lines: Span[][] = [];
  for (const item of bindings.flatMap(itemOf)) {
    const line = lines.at(-1);
    if (line && widthOf(line) + GAP + widthOf(item) <= width) line.push(span(" ".repeat(GAP)), ...item);
    else lines.push([...item]);
  }
  return lines;
}

/** Returns a line with as many bindings as fit. It always includes the bindings in `last`. */
export function keyLine(bindings: readonly KeyBinding[], last: readonly KeyBinding[], width: number): Line {
  const end = last.flatMap(itemOf);
  const room = width - end.reduce((sum, item) => sum + widthOf(item) + GAP, 0);
  const [line = []] = keyLines(
    bindings.filter(({ isRare }) => !isRare),
    room,
  );
  const fitting = widthOf(line) <= room ? line : [];
  const [first, ...others] = fitting.length > 0 ? [fitting, ...end] : end;
  return [...(first ?? []), ...others.flatMap((item) => [span(" ".repeat(GAP)), ...item])];
}

function itemOf({ shown, label }: KeyBinding): [Line] | [] {
  return shown === undefined || label === undefined
    ? []
    : [[span(shown, THEME.key), span(` ${label}`, THEME.faint)]];
}

/** Scrolling of the detail pane, which shows parts such as the wires of a thread. One part is selected. */
import type { Line } from "../styled-text/spans.js";

/** The index of each part's first line, all lines, and the number of lines. */
export interface Extent {
  readonly starts: readonly number[];
  readonly lines: readonly Line[];
}

export interface Place {
  readonly selected: number;
  /** Index of the first visible line. */
  readonly top: number;
}

export function extentOf(parts: readonly (readonly Line[])[]): Extent {
  const starts: number[] = [];
  const lines: Line[] = [];
  for (const part of parts) {
    if (lines.length > 0) lines.push([]);
    starts.push(lines.length);
    lines.push(...part);
  }
  return { starts, lines };
}

/** Scrolls until the selected part is visible: the whole part if it fits, otherwise its first lines. */
export function broughtIntoView({ selected, top }: Place, { starts, lines }: Extent, height: number): Place {
  const start = starts[selected] ?? 0;
  const end = starts[selected + 1] ?? lines.length;
  if (start < top || end - start > height) return { selected, top: start };
  return { selected, top: Math.max(top, end - height) };
}

/**
 * Returns the selected part and the scroll position after a key. Up and Down select another part, but scroll
 * by one line within a part that is taller than the pane.
 */
export function scrolled(place: Place, key: string, extent: Extent, height: number): Place {
  const { selected, top } = place;
  const { starts, lines } = extent;
  const last = Math.max(0, lines.length - height);
  const at = (line: number): Place => {
    const to = Math.max(0, Math.min(last, line));
    return {
      top: to,
      selected: Math.max(
        0,
        starts.findLastIndex((start) => start <= to),
      ),
    };
  };
  const select = (part: number): Place => {
    const target = Math.max(0, Math.min(starts.length - 1, part));
    return target === selected ? place : broughtIntoView({ top, selected: target }, extent, height);
  };
  switch (key) {
    case "down":
    case "j": {
      const end = starts[selected + 1] ?? lines.length;
      return end > top + height && top < last ? { selected, top: top + 1 } : select(selected + 1);
    }
    case "up":
    case "k":
      return (starts[selected] ?? 0) < top ? { selected, top: top - 1 } : select(selected - 1);
    case "page-down":
    case "J":
    case " ":
      return top >= last ? select(starts.length - 1) : at(top + height - 1);
    case "page-up":
    case "K":
      return top <= 0 ? select(0) : at(top - height + 1);
    case "home":
    case "g":
      return { selected: 0, top: 0 };
    case "end":
    case "G":
      return { selected: Math.max(0, starts.length - 1), top: last };
    default:
      return place;
  }
}

/** The thread pane's content, which is a thread or a search result, and how keys scroll it. */
import type { Placed } from "../../output/show/thread.js";

export interface Thread {
  /** The thread's id, or the title of a search. */
  readonly id: string;
  readonly title: string;
  readonly placed: readonly Placed[];
  /** Cursor of the next page. Null if all wires are loaded. */
  readonly next: string | null;
  /** Index of the selected wire. */
  readonly selected: number;
  /** Index of the first visible line. */
  readonly top: number;
}

/** The index of each wire's first line, and the total number of lines. */
export interface Extent {
  readonly starts: readonly number[];
  readonly count: number;
}

/** Indexes of the selected wire and of the first visible line. */
export interface Place {
  selected: number;
  top: number;
}

/** Scrolls until the selected wire is visible: the whole wire if it fits, otherwise its first lines. */
export function broughtIntoView({ selected, top }: Place, extent: Extent, height: number): Place {
  const start = extent.starts[selected] ?? 0;
  const end = extent.starts[selected + 1] ?? extent.count;
  if (start < top || end - start > height) return { selected, top: start };
  return { selected, top: Math.max(top, end - height) };
}

/**
 * Returns the selected wire and the scroll position after a key. Returns undefined for a key that does not
 * scroll. Up and Down select another wire, but scroll by one line within a wire that is taller than the pane.
 */
export function scrolled(place: Place, key: string, extent: Extent, height: number): Place | undefined {
  const last = Math.max(0, extent.count - height);
  const { selected, top } = place;
  const wires = extent.starts.length;
  const at = (line: number): Place => {
    const to = Math.max(0, Math.min(last, line));
    return {
      top: to,
      selected: Math.max(
        0,
        extent.starts.findLastIndex((start) => start <= to),
      ),
    };
  };
  const select = (wire: number) =>
    broughtIntoView({ top, selected: Math.max(0, Math.min(wires - 1, wire)) }, extent, height);
  switch (key) {
    case "down":
    case "j": {
      const end = extent.starts[selected + 1] ?? extent.count;
      return end > top + height && top < last ? { selected, top: top + 1 } : select(selected + 1);
    }
    case "up":
    case "k":
      return (extent.starts[selected] ?? 0) < top ? { selected, top: top - 1 } : select(selected - 1);
    case "page-down":
    case " ":
      return top >= last ? select(wires - 1) : at(top + height - 1);
    case "page-up":
      return top <= 0 ? select(0) : at(top - height + 1);
    case "home":
    case "g":
      return { selected: 0, top: 0 };
    case "end":
    case "G":
      return { selected: wires - 1, top: last };
    default:
      return undefined;
  }
}

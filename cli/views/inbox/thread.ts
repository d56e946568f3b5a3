/** The wires of the right-hand pane: a thread, or what a search has found. */
import type { Placed } from "../../output/show/thread.js";

export interface Thread {
  /** The thread's id, or what was searched for. */
  readonly id: string;
  readonly title: string;
  readonly placed: readonly Placed[];
  /** Where the next page starts; null where all is here. */
  readonly next: string | null;
  /** Index of the wire that commands are about. */
  readonly selected: number;
  /** First line that is on the screen. */
  readonly top: number;
}

/** Where the wires' lines begin, and where the last one ends. */
export interface Extent {
  readonly starts: readonly number[];
  readonly count: number;
}

/** Wire selected, and first line shown. */
export interface Place {
  selected: number;
  top: number;
}

/** The place with this wire on the screen: whole where it fits, else its beginning. */
export function broughtIntoView({ selected, top }: Place, extent: Extent, height: number): Place {
  const start = extent.starts[selected] ?? 0;
  const end = extent.starts[selected + 1] ?? extent.count;
  if (start < top || end - start > height) return { selected, top: start };
  return { selected, top: Math.max(top, end - height) };
}

/** Where a key takes the reader: line by line within a wire that is longer than the pane, else wire by wire. */
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

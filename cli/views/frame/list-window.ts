/** Scrolling and selection in a long list that shows only some of its rows. */

/** Returns the index of the first visible row. Scrolls as little as possible to make `selected` visible. */
export function windowStart(selected: number, count: number, height: number, previous: number): number {
  const last = Math.max(0, count - height);
  const start = Math.min(previous, last, selected);
  return Math.max(0, Math.max(start, selected - height + 1));
}

/** Names of the keys that move the selection. */
export const MOVES = ["up", "down", "j", "k", "page-up", "page-down", "home", "end", "g", "G"];

/**
 * Returns the index of the row to select after a key. Returns undefined for keys that do not move the
 * selection.
 * @param count number of rows
 * @param page number of visible rows
 */
export function moved(selected: number, key: string, count: number, page: number): number | undefined {
  const target = {
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
  }[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

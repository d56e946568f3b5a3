/** Which rows of a long list are on the screen, and where keys take the selection. */

/** First row shown, so that `selected` is among `height` rows, near where the window stood. */
export function windowStart(selected: number, count: number, height: number, previous: number): number {
  const last = Math.max(0, count - height);
  const start = Math.min(previous, last, selected);
  return Math.max(0, Math.max(start, selected - height + 1));
}

/** Where a key takes a selection among `count` rows, `page` of which are shown; undefined for other keys. */
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

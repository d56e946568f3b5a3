/** Limits the size of a page (docs/specification/requests.md#pagination). */

/** Maximum size of a list page in bytes of JSON. Only a single item may be larger. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

const ENVELOPE_BYTES = 128;

export interface Page<Item> {
  items: readonly Item[];
  hasMore: boolean;
}

/** The first item always fits. */
export function countFitting(sizes: readonly number[]): number {
  let total = ENVELOPE_BYTES;
  const end = sizes.findIndex((size, n) => {
    total += size + 1;
    return total > MAX_PAGE_BYTES && n > 0;
  });
  return end < 0 ? sizes.length : end;
}

/**
 * Returns how many rows to read for one page. This includes one more row than fits, which shows that another
 * page follows.
 * @param sizes row sizes in bytes; a row may be smaller than its item's JSON, but not larger
 */
export function countToRead(sizes: readonly number[]): number {
  return countFitting(sizes) + 1;
}

/**
 * Returns the page that starts with the first item.
 * @param items at least `limit + 1` items, or all remaining items
 * @param sizeOf returns an item's size in bytes of JSON; omit it if `limit` items always fit on a page
 */
export function cutPage<Item>(
  items: readonly Item[],
  limit: number,
  sizeOf?: (item: Item) => number,
): Page<Item> {
  const wanted = items.length > limit ? items.slice(0, limit) : items;
  const count = sizeOf ? countFitting(wanted.map(sizeOf)) : wanted.length;
  return { items: wanted.slice(0, count), hasMore: count < items.length };
}

/** The limit on the size of a page (docs/specification/requests.md#pagination). */

/** Maximum size of a page of any list, in bytes of its JSON. A single item may be larger. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Bytes that are kept free for the field names and the cursor of a page. */
const ENVELOPE_BYTES = 128;

/** The items of a page, and whether the list goes on after them. */
export interface Page<Item> {
  items: readonly Item[];
  hasMore: boolean;
}

/** Returns how many of the first items fit on one page. The first item always fits. */
export function countFitting(sizes: readonly number[]): number {
  let total = ENVELOPE_BYTES;
  const end = sizes.findIndex((size, n) => {
    total += size + 1;
    return total > MAX_PAGE_BYTES && n > 0;
  });
  return end < 0 ? sizes.length : end;
}

/**
 * Returns how many rows a list should read: those that may fit on one page, and one more.
 * @param sizes sizes in bytes, which are at most those of the JSON of the items
 */
export function countToRead(sizes: readonly number[]): number {
  return countFitting(sizes) + 1;
}

/**
 * Returns the page that these items begin with.
 * @param items at least `limit + 1` items, or all that are left
 * @param sizeOf returns the size of an item in bytes of JSON; omit it if `limit` items always fit on a page
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

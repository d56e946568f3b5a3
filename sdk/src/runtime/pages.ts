/** Iterates over paginated lists. */

interface Page {
  next_cursor: string | null;
}

/**
 * Yields every item of a list, and reads further pages as needed.
 * @param read reads one page
 * @param key the property of a page that contains its items
 */
export async function* paginate<Input extends { cursor?: string | undefined }, Key extends string, Item>(
  input: Input,
  read: (input: Input) => PromiseLike<Page & Record<Key, Item[]>>,
  key: Key,
): AsyncGenerator<Item, void, undefined> {
  let cursor = input.cursor ?? null;
  do {
    const page = await read(cursor === null ? input : { ...input, cursor });
    yield* page[key];
    // A daemon of an earlier version returns some lists without pages.
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
}

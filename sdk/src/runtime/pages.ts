/** Every item of a list, page after page. */

interface Page {
  next_cursor: string | null;
}

/**
 * @param read reads one page
 * @param key the property of a page that holds its items
 */
export async function* items<Input extends { cursor?: string | undefined }, Key extends string, Item>(
  input: Input,
  read: (input: Input) => PromiseLike<Page & Record<Key, Item[]>>,
  key: Key,
): AsyncGenerator<Item, void, undefined> {
  let cursor = input.cursor ?? null;
  do {
    const page = await read(cursor === null ? input : { ...input, cursor });
    yield* page[key];
    cursor = page.next_cursor;
  } while (cursor !== null);
}

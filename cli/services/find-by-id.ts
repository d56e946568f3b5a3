import { Failure } from "../failure.js";

/** Shorter starts are refused, because a typing error could be the start of another id. */
const MIN_LENGTH = 8;

/**
 * Returns the item with this id. Also accepts the start of an id, because narrow tables cut ids. Throws
 * `USAGE` if several ids have this start.
 */
export async function findById<Item>(
  items: AsyncIterable<Item>,
  given: string,
  idsOf: (item: Item) => readonly (string | undefined)[],
): Promise<Item | undefined> {
  const start = given.replace(/…$/, "");
  const found: Item[] = [];
  for await (const item of items) {
    const ids = idsOf(item);
    if (ids.includes(given)) return item;
    if (start.length >= MIN_LENGTH && ids.some((id) => id?.startsWith(start))) found.push(item);
  }
  if (found.length > 1)
    throw new Failure("USAGE", `${found.length} ids start with ${start}; type more of it`);
  return found[0];
}

/**
 * Throws `USAGE` if only the start of an id is given with `--yes`, which skips the question that names the
 * item. Call this for a list without ended items, because their ids may begin in the same way.
 */
export function assertWhole(
  given: string,
  id: string,
  what: string,
  { yes }: { yes?: boolean | undefined },
): void {
  if (!yes || given === id) return;
  throw new Failure(
    "USAGE",
    "with --yes, pass the whole id, because an id that has ended may start so, too",
    [`The id of ${what}: ${id}`],
  );
}

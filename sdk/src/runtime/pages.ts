/** Lists that the service returns page by page. */
import { ApiPromise, type WithResponse } from "./api-promise.js";

/** The output field that all lists share. */
export interface PageOutput {
  next_cursor: string | null;
}

/** The input fields that determine when a loop over the pages ends. */
export interface PageInput {
  wait?: number | undefined;
  cursor?: string | undefined;
}

/** One page of a list: the operation's output, plus `items` and a method that reads the next page. */
export type Page<Output extends PageOutput, Item> = Output & {
  /** The items of this page. */
  readonly items: readonly Item[];
  /** Reads the next page with the same input and options. Returns undefined after the last page. */
  next(): Promise<Page<Output, Item> | undefined>;
};

/**
 * A promise of one page. `for await` yields the items of all pages and reads further pages as needed. With
 * the input `wait`, every page has a next page. The loop then ends at the first empty page, because nothing
 * new arrived during the wait. With `cursor: "latest"`, the first page is always empty and does not end the
 * loop. To follow a space or a thread without an end, use `spaces.listen` or `threads.listen`.
 *
 * @example
 * ```ts
 * for await (const { handle } of wr.blocks.list()) console.log(handle);
 * const page = await wr.blocks.list({ limit: 10 });
 * console.log(page.items, await page.next());
 * ```
 */
export class PagePromise<Output extends PageOutput, Item>
  extends ApiPromise<Page<Output, Item>>
  implements AsyncIterable<Item>
{
  readonly #input: PageInput;

  /**
   * @internal
   * @param key the output property that contains the items
   * @param read reads the page at a cursor
   * @param input the call's input
   */
  constructor(
    result: Promise<WithResponse<Output>>,
    key: string,
    read: (cursor: string) => PagePromise<Output, Item>,
    input: PageInput,
  ) {
    super(result.then(({ data, response }) => ({ data: toPage(data, key, read), response })));
    this.#input = input;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const { wait, cursor } = this.#input;
    let isPresentEnd = cursor === "latest";
    for (let page: Page<Output, Item> | undefined = await this; page; page = await page.next()) {
      yield* page.items;
      if (wait !== undefined && page.items.length === 0 && !isPresentEnd) return;
      isPresentEnd = false;
    }
  }
}

/** `items` and `next` are non-enumerable, so logs and JSON show only the output. */
function toPage<Output extends PageOutput, Item>(
  output: Output,
  key: string,
  read: (cursor: string) => PagePromise<Output, Item>,
): Page<Output, Item> {
  // Older daemons return some lists as a whole, without `next_cursor`.
  const cursor = output.next_cursor ?? null;
  return Object.defineProperties(output, {
    items: { value: (output as Record<string, unknown>)[key] },
    next: { value: async () => (cursor === null ? undefined : read(cursor)) },
  }) as Page<Output, Item>;
}

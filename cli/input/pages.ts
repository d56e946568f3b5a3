/** Flags of lists that come in pages, and reading them. */
import type { Command } from "commander";
import type { Output } from "../output/output.js";
import { integer } from "./values.js";

export interface PageFlags {
  limit?: number;
  cursor?: string;
  all?: true;
}

/** Adds `--limit`, `--cursor` and `--all`. */
export function addPageOptions(command: Command): Command {
  return command
    .option("--limit <n>", "how many at most, 1 to 100 (default: 50)", integer(1, 100))
    .option("--cursor <cursor>", "where to go on: the next_cursor of the page before")
    .option("--all", "all pages, one after the other, as one list");
}

/**
 * One page, or with `--all` every page from there as one, whose `next_cursor` is null.
 *
 * @param key the property that holds the items
 */
export async function readPages<
  Key extends string,
  Page extends { next_cursor: string | null } & Record<Key, unknown[]>,
>(
  { limit, cursor, all }: PageFlags,
  key: Key,
  read: (page: { limit?: number | undefined; cursor?: string | undefined }) => PromiseLike<Page>,
): Promise<Page> {
  const body = await read({ limit: all ? (limit ?? 100) : limit, cursor });
  while (all && body.next_cursor !== null) {
    const page = await read({ limit: limit ?? 100, cursor: body.next_cursor });
    body[key].push(...page[key]);
    body.next_cursor = page.next_cursor;
  }
  return body;
}

/** Says that there are more pages, and how to read them. @param command the command line without its cursor */
export function sayMore(
  output: Output,
  { next_cursor }: { next_cursor: string | null },
  command: string,
): void {
  if (next_cursor === null) return;
  if (output.isTerminal) output.next(`${command} --cursor ${next_cursor}`);
  else output.note(`There is more: --cursor ${next_cursor}, or --all`);
}

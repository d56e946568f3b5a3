/** Options for lists that the service returns page by page. */

import type { Command } from "commander";
import type { Output } from "../output/output.js";
import { oneLine } from "../output/safe.js";
import { shellQuoted } from "../output/shell-quote.js";
import { integerBetween } from "./values.js";

export interface PageFlags {
  limit?: number;
  cursor?: string;
  all?: true;
}

/** Adds `--limit`, `--cursor` and `--all`. */
export function addPageOptions(command: Command): Command {
  return command
    .option("--limit <n>", "maximum number of items, 1 to 100 (default: 50)", integerBetween(1, 100))
    .option("--cursor <cursor>", "start at the next_cursor of the previous page")
    .option("--all", "print all pages as one list");
}

export interface BriefFlags {
  brief?: true;
}

/** Adds `--brief`, for lists of wires. */
export function addBriefOption(command: Command): Command {
  return command.option("--brief", "cut long texts, and leave out payloads");
}

/** Returns the input field of `--brief`. */
export function briefInput({ brief }: BriefFlags): { brief?: true } {
  return brief ? { brief } : {};
}

/**
 * Reads one page. With `--all`, reads all pages and returns their items as one page with `next_cursor: null`.
 *
 * @param key the property of a page that contains its items
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
  // A daemon of an earlier version returns some lists without pages, and without a cursor.
  while (all && body.next_cursor) {
    const page = await read({ limit: limit ?? 100, cursor: body.next_cursor });
    body[key].push(...page[key]);
    body.next_cursor = page.next_cursor;
  }
  return body;
}

/**
 * Prints how to read the next page, if there is one.
 * @param command the command line without `--cursor`
 */
export function printNextPageHint(
  output: Output,
  { next_cursor }: { next_cursor: string | null },
  command: string,
): void {
  if (next_cursor === null) return;
  if (output.isTerminal) output.nextSteps(`${command} --cursor ${shellQuoted(next_cursor)}`);
  else output.note(oneLine(`More results: add --cursor ${shellQuoted(next_cursor)}, or --all`));
}

/** Options for lists that the service returns page by page. */
import type { Command } from "commander";
import { Failure } from "../failure.js";
import { integerBetween } from "./values.js";

export interface PageFlags {
  limit?: number;
  cursor?: string;
  all?: true;
  brief?: true;
  follow?: true;
}

export const LIMIT = [
  "--limit <n>",
  "maximum number of items, 1 to 100 (default: 50)",
  integerBetween(1, 100),
] as const;
export const WAIT = [
  "--wait <seconds>",
  "if nothing is new, wait up to this many seconds, 0 to 60; the service waits for at most 50",
  integerBetween(0, 60),
] as const;
export const BRIEF = ["--brief", "cut long texts, and leave out payloads"] as const;

export function addPageOptions(command: Command, { brief, follow }: { brief?: true; follow?: true }): void {
  command
    .option(...LIMIT)
    .option("--cursor <cursor>", "start at the next_cursor of the previous page")
    .option("--all", "print all pages as one list");
  if (brief) command.option(...BRIEF);
  if (follow) command.option("-f, --follow", "print new wires as they arrive");
}

export function rejectOptions<Flags>(
  flags: Flags,
  names: readonly (keyof Flags & string)[],
  flag: string,
): void {
  const other = names.find((name) => flags[name] !== undefined);
  if (other === undefined) return;
  const otherFlag = other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new Failure("USAGE", `${flag} cannot be combined with --${otherFlag}`);
}

export const FOLLOW_HELP = `\
--follow prints the wires after --cursor or, without it, those from now on. With --json, it prints one line for each wire. If the
daemon becomes unreachable, it waits for it. Stop it with Ctrl-C (exit code 130).`;

/**
 * Reads one page. With `--all`, returns the items of all pages as one page with `next_cursor: null`.
 * @param key the page property that contains the items
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
  // `next_cursor` may be missing, because older daemons return some lists as a single page.
  while (all && body.next_cursor) {
    const page = await read({ limit: limit ?? 100, cursor: body.next_cursor });
    body[key].push(...page[key]);
    body.next_cursor = page.next_cursor;
  }
  return body;
}

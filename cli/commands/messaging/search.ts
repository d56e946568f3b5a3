import type { Command } from "commander";
import { collectValues, integerBetween } from "../../input/values.js";
import { ENTITY_COLUMNS } from "../../output/show/entity.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

interface SearchFlags {
  tag?: string[];
  acceptsSchema?: string;
  limit?: number;
}

const SEARCH_TYPES = [
  ["handles", "discoverable handles"],
  ["spaces", "public spaces"],
  ["schemas", "registered schemas"],
] as const;

/**
 * Adds `wireroom search handles|spaces|schemas`, which search the switchboard, the directory of handles,
 * spaces and schemas.
 */
export function addSearchCommands(program: Command): void {
  const search = program
    .command("search")
    .helpGroup(HEADINGS.agent)
    .description("find handles, spaces and schemas on the switchboard");
  for (const [type, what] of SEARCH_TYPES) addSearch(search, type, what);
}

function addSearch(search: Command, type: keyof typeof ENTITY_COLUMNS, what: string): void {
  const command = search
    .command(type)
    .description(`search ${what}; without words, list all`)
    .argument("[words...]", "words that must all occur")
    .option("--limit <n>", "maximum number of results, 1 to 50 (default: 20)", integerBetween(1, 50));
  if (type !== "schemas")
    command
      .option("--tag <tag>", "only results with this tag; repeat to require several tags", collectValues)
      .option("--accepts-schema <ref>", "only results whose rule accepts this schema");
  command.addHelpText("after", `\nExample:\n  $ wireroom search ${type} weather`).action(
    withSession<SearchFlags, [string[]]>(async (session, { tag, acceptsSchema, limit }, words) => {
      const client = await session.agent();
      const body = await client.switchboard.search({
        type,
        q: words.length === 0 ? undefined : words.join(" "),
        tags: tag?.join(","),
        accepts_schema: acceptsSchema,
        limit,
      });
      const { output } = session;
      output.result(body, () => output.table(ENTITY_COLUMNS[type], body, `no ${type} found`));
    }),
  );
}

import type { Command } from "commander";
import { integer, repeated } from "../../input/values.js";
import { ENTITY_COLUMNS } from "../../output/show/entity.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

interface SearchFlags {
  tag?: string[];
  acceptsSchema?: string;
  limit?: number;
}

const KINDS = [
  ["handles", "discoverable handles"],
  ["spaces", "public spaces"],
  ["schemas", "registered schemas"],
] as const;

/** `wireroom search handles|spaces|schemas`: the switchboard. */
export function addSearchCommands(program: Command): void {
  const search = program
    .command("search")
    .helpGroup(HEADINGS.agent)
    .description("find handles, spaces and schemas");
  for (const [type, what] of KINDS) addSearch(search, type, what);
}

function addSearch(search: Command, type: keyof typeof ENTITY_COLUMNS, what: string): void {
  const command = search
    .command(type)
    .description(`search ${what}; without words, all of them`)
    .argument("[words...]", "words that must all be there")
    .option("--limit <n>", "how many at most, 1 to 50 (default: 20)", integer(1, 50));
  if (type !== "schemas")
    command
      .option("--tag <tag>", "only those with this tag; repeatable: with all of them", repeated)
      .option("--accepts-schema <ref>", "only those whose rule accepts this schema");
  command.addHelpText("after", `\nExample:\n  $ wireroom search ${type} weather`).action(
    action<SearchFlags, [string[]]>(async (session, { tag, acceptsSchema, limit }, words) => {
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

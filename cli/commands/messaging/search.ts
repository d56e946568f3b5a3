import { collectValues, integerBetween } from "../../input/values.js";
import { ENTITY_COLUMNS } from "../../output/show/entity.js";
import { wordsArgument } from "../arguments.js";
import { type AddCommand, noun } from "../command.js";
import { operation } from "../operation.js";

export const add = noun("search", "find handles, spaces and schemas on the switchboard", [
  search("handles", "discoverable handles"),
  search("spaces", "public spaces"),
  search("schemas", "registered schemas"),
]);

function search(type: keyof typeof ENTITY_COLUMNS, what: string): AddCommand {
  const tags = {
    flags: "--tag <tag>",
    description: "only results with this tag; repeat to require several tags",
    parse: collectValues,
    sets: (all: string[]) => ({ tags: all.join(",") }),
  };
  const acceptsSchema = {
    flags: "--accepts-schema <ref>",
    description: "only results whose rule accepts this schema",
  };
  return operation("switchboard.search", {
    name: type,
    description: `search ${what}; without words, list all`,
    arguments: [wordsArgument("[words...]", "words that must all occur")],
    options: [
      {
        flags: "--limit <n>",
        description: "maximum number of results, 1 to 50 (default: 20)",
        parse: integerBetween(1, 50),
      },
      ...(type === "schemas" ? [] : [tags, acceptsSchema]),
    ],
    fields: { type },
    examples: `wireroom search ${type} weather`,
    table: () => [ENTITY_COLUMNS[type], `no ${what} found`],
  });
}

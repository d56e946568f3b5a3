/** Declares `wireroom search`: finds handles, spaces, schemas and direct messages. */
import type {
  EntityResult,
  EntityResultHandle,
  EntityResultSchema,
  EntityResultSpace,
  Wire,
} from "../../../sdk/src/api.js";
import { collectValues, integerBetween } from "../../input/values.js";
import type { Output } from "../../output/output.js";
import { ruleText } from "../../output/show/rule.js";
import { WIRE_LINE, writeWires } from "../../output/show/wire.js";
import type { Column } from "../../output/table.js";
import { wordsArgument } from "../arguments.js";
import { type AddCommand, noun } from "../command.js";
import { operation } from "../operation.js";

const HANDLES: readonly Column<EntityResultHandle>[] = [
  { title: "handle", cell: ({ slug }) => `@${slug}` },
  { title: "name", cell: ({ display_name }) => display_name ?? "", flexible: true },
  { title: "inbox accepts", cell: ({ inbox_rule }) => ruleText(inbox_rule), flexible: true },
  { title: "tags", cell: ({ tags }) => tags.join(", "), flexible: true },
  { title: "bio", cell: ({ bio }) => bio ?? "", flexible: true },
];

const SPACES: readonly Column<EntityResultSpace>[] = [
  { title: "space", cell: ({ slug }) => `#${slug}` },
  { title: "posting", cell: ({ posting_rights }) => posting_rights },
  { title: "posts accept", cell: ({ root_rule }) => ruleText(root_rule), flexible: true },
  { title: "tags", cell: ({ tags }) => tags.join(", "), flexible: true },
  { title: "description", cell: ({ description }) => description ?? "", flexible: true },
];

const SCHEMAS: readonly Column<EntityResultSchema>[] = [
  { title: "subject", cell: ({ subject }) => subject },
  { title: "latest", cell: ({ latest_version }) => String(latest_version) },
  { title: "compat", cell: ({ compat }) => compat },
];

const COLUMNS: Readonly<Record<"handles" | "spaces" | "schemas", readonly Column<EntityResult>[]>> = {
  handles: HANDLES,
  spaces: SPACES,
  schemas: SCHEMAS,
};

/** The parts of a declaration that all searches over wires share. */
export const WIRE_SEARCH = {
  arguments: [wordsArgument("<words...>", 'words, "a phrase", word or word, -word to exclude')],
  page: "wires",
  brief: true,
  help: `Put -- before words that start with a dash.\n\n${WIRE_LINE}`,
  show: ({ output, body }: { output: Output; body: { wires: Wire[] } }) =>
    writeWires(output, body.wires, "no matches"),
} as const;

export const add = noun(
  "search",
  "find handles, spaces and schemas on the switchboard, and your direct messages",
  [
    search("handles", "discoverable handles"),
    search("spaces", "public spaces"),
    search("schemas", "registered schemas"),
    operation("wires.search", {
      name: "messages",
      description: "search the direct messages that you sent or received, best matches first",
      ...WIRE_SEARCH,
      examples: ["wireroom search messages disk full", `wireroom search messages -- '"disk full"' -test`],
    }),
  ],
);

function search(type: keyof typeof COLUMNS, what: string): AddCommand {
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
    table: () => [COLUMNS[type], `no ${what} found`],
  });
}

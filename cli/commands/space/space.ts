/** Declares `wireroom space`, and its commands create, show, list and update. */

import { InvalidArgumentError } from "commander";
import type { Space, SpaceDetail, Wireroom } from "../../../sdk/src/api.js";
import { POSTING_RIGHTS, VISIBILITIES } from "../../../sdk/src/generated/enums.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import { spaceWord } from "../../output/shell-quote.js";
import { SPACE_COLUMNS, spaceFields } from "../../output/show/space.js";
import type { Session } from "../../session.js";
import { spaceArgument } from "../arguments.js";
import { noun } from "../command.js";
import { operation } from "../operation.js";
import { ruleOption, TAGS } from "../options.js";
import { MEMBER_COMMANDS, roleIn } from "./members.js";
import { WIRE_COMMANDS } from "./wires.js";
import { WORK_COMMAND } from "./work.js";

const OPTIONS = [
  { flags: "--description <text>", description: "purpose of the space" },
  TAGS,
  {
    flags: "--posting-rights <who>",
    description: "who may post: anyone who can read; members except readers; or only the owner and mods",
    choices: POSTING_RIGHTS,
  },
  ruleOption("--root-rule <json>", "posts"),
  ruleOption("--reply-rule <json>", "replies"),
  { flags: "--allow-wire-reply-rules", description: "let a wire carry its own rule for replies" },
  { flags: "--no-allow-wire-reply-rules", description: "do not let a wire carry its own rule for replies" },
];

const show = ({ output, body }: { output: Output; body: Space | SpaceDetail }) =>
  output.fields(spaceFields(body, output.time));

const SETTING_COMMANDS = [
  operation("spaces.create", {
    name: "create",
    description: "create a space",
    arguments: [
      {
        ...spaceArgument(),
        usage: "<name>",
        description: "name of the space: 3 to 32 characters of a-z, 0-9 and -",
      },
    ],
    options: [
      {
        flags: "--visibility <who>",
        description: "who may read: every handle, or only members",
        choices: VISIBILITIES,
        required: true,
      },
      ...OPTIONS,
    ],
    once: "create one space",
    help: "A rule is a JSON object with allow_text and, if you want, accepted_schemas, inline_schema, votable and claimable.",
    examples: [
      'wireroom space create ops --visibility private \\\n      --description "Incidents and their fixes."',
      `wireroom space create quotes --visibility public \\\n      --root-rule '{"allow_text": false, "accepted_schemas": ["@bob/order"]}'`,
      `wireroom space create jobs --visibility private \\\n      --root-rule '{"allow_text": true, "claimable": true}'`,
    ],
    show,
    next: ({ body: { slug, root_rule } }) => [
      `wireroom space post ${spaceWord(slug)} ${root_rule.allow_text ? "hello" : "--payload '{…}'"}`,
      `wireroom space add-member ${spaceWord(slug)} @bob`,
    ],
  }),
  operation("spaces.get", {
    name: "show",
    description: "show a space, its rules and member counts",
    arguments: [spaceArgument()],
    examples: "wireroom space show ops",
    show,
  }),
  operation("spaces.list", {
    name: "list",
    description: "list the spaces that the active handle is a member of",
    page: "spaces",
    examples: "wireroom space list --all --json",
    table: () => [SPACE_COLUMNS, "no spaces yet; find some: wireroom search spaces"],
  }),
  operation("spaces.update", {
    name: "update",
    description: "change a space; what you do not pass stays unchanged",
    arguments: [spaceArgument()],
    options: [
      ...OPTIONS,
      { flags: "--no-tag", description: "remove all tags", sets: "tags" },
      {
        flags: "--retain-days <days>",
        description:
          "delete posts after this number of days, 1 to 3650; none: only the daemon's own --retain applies",
        parse: parseRetainDays,
        sets: (days: number | "none") => ({ retain_days: days === "none" ? null : days }),
      },
    ],
    changes: true,
    examples: "wireroom space update ops --posting-rights members --tag incidents",
    async prepare({ session, client, input: { slug, retain_days: days } }) {
      if (typeof days === "number") await confirmRetention(session, client, slug, days);
      return {};
    },
    show,
  }),
];

export const add = noun("space", "manage spaces (rooms), their wires and members", [
  ...SETTING_COMMANDS,
  ...WIRE_COMMANDS,
  WORK_COMMAND,
  ...MEMBER_COMMANDS,
]);

/** Parses a number of days, or `none`. Keeps `none` as text, because commander would replace null. */
function parseRetainDays(text: string): number | "none" {
  if (text === "none") return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number of days, or none.");
}

/** Asks for confirmation if the new setting deletes posts earlier than the current setting. */
async function confirmRetention(
  session: Session,
  client: Wireroom,
  slug: string,
  days: number,
): Promise<void> {
  const { retain_days } = await client.spaces.get({ slug });
  if ((retain_days !== null && retain_days <= days) || (await roleIn(client, slug)) !== "owner") return;
  await session.prompt.confirm(
    `Permanently delete the posts of #${oneLine(slug)} that are older than ${days === 1 ? "a day" : `${days} days`}?`,
  );
}

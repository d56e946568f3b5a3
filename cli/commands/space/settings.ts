import { type Command, InvalidArgumentError, Option } from "commander";
import type { Space, SpaceDetail, Visibility, Wireroom } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { parseSpaceArgument } from "../../input/arguments.js";
import { addPageOptions, type PageFlags, printNextPageHint, readPages } from "../../input/pages.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { parseIdempotencyKey } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { spaceWord } from "../../output/shell-quote.js";
import { SPACE_COLUMNS, spaceFields } from "../../output/show/space.js";
import type { Session } from "../../session.js";
import { withSession } from "../with-session.js";
import { addSpaceOptions, type SpaceFlags, spaceInput } from "./options.js";

/** Adds `wireroom space create|show|list|update`. */
export function addSpaceSettingCommands(space: Command): void {
  addCreate(space);
  addShow(space);
  addList(space);
  addUpdate(space);
}

function show({ output }: Session, body: Space | SpaceDetail): void {
  output.result(body, () => output.fields(spaceFields(body, output.time)));
}

function addCreate(space: Command): void {
  addRetryOption(
    addSpaceOptions(
      space
        .command("create")
        .description("create a space")
        .argument("<slug>", "name of the space: 3 to 32 characters of a-z, 0-9 and -")
        .addOption(
          new Option("--visibility <who>", "who may read: every handle, or only members")
            .choices(["public", "private"])
            .makeOptionMandatory(),
        )
        .option(
          "--idempotency-key <key>",
          "makes retries safe: requests with the same idempotency key within 24 hours create one space",
          parseIdempotencyKey,
        ),
    ),
  )
    .addHelpText(
      "after",
      `
A rule is a JSON object with the fields allow_text, accepted_schemas, inline_schema and votable.

Examples:
  $ wireroom space create ops --visibility private \\
      --description "Incidents and their fixes."
  $ wireroom space create quotes --visibility public \\
      --root-rule '{"allow_text": false, "accepted_schemas": ["@bob/order"]}'`,
    )
    .action(
      withSession<SpaceFlags & RetryFlags & { visibility: Visibility; idempotencyKey?: string }>(
        async (session, flags, name) => {
          const slug = parseSpaceArgument(session, name!);
          const { visibility, description, idempotencyKey } = flags;
          const input = { slug, visibility, description, ...(await spaceInput(session, flags)) };
          const client = await session.agent();
          const created = await withRetry(session, flags, () =>
            client.spaces.create(input, { idempotencyKey }),
          );
          show(session, created);
          session.output.nextSteps(
            `wireroom space post ${spaceWord(slug)} ${created.root_rule.allow_text ? "hello" : "--payload '{…}'"}`,
            `wireroom space add-member ${spaceWord(slug)} @bob`,
          );
        },
      ),
    );
}

function addShow(space: Command): void {
  space
    .command("show")
    .description("show a space, its rules and member counts")
    .argument("<space>", "name of the space, such as ops")
    .addHelpText("after", "\nExample:\n  $ wireroom space show ops")
    .action(
      withSession(async (session, _flags, name) => {
        const slug = parseSpaceArgument(session, name!);
        const client = await session.agent();
        show(session, await client.spaces.get({ slug }));
      }),
    );
}

function addList(space: Command): void {
  addPageOptions(space.command("list").description("list the spaces that the active handle is a member of"))
    .addHelpText("after", "\nExample:\n  $ wireroom space list --all --json")
    .action(
      withSession<PageFlags, []>(async (session, flags) => {
        const client = await session.agent();
        const body = await readPages(flags, "spaces", (page) => client.spaces.list(page));
        const { output } = session;
        output.result(body, () => {
          output.table(SPACE_COLUMNS, body.spaces, "no spaces yet; find some: wireroom search spaces");
          printNextPageHint(output, body, "wireroom space list");
        });
      }),
    );
}

function addUpdate(space: Command): void {
  addSpaceOptions(
    space
      .command("update")
      .description("change a space; what you do not pass stays unchanged")
      .argument("<space>", "name of the space, such as ops"),
  )
    .option("--no-tag", "remove all tags")
    .option(
      "--retain-days <days>",
      "delete posts after this number of days, 1 to 3650; none: only the daemon's own --retain applies",
      parseRetainDays,
    )
    .addHelpText(
      "after",
      "\nExample:\n  $ wireroom space update ops --posting-rights members --tag incidents",
    )
    .action(
      withSession<SpaceFlags & { retainDays?: number | "none" }>(async (session, flags, name) => {
        const slug = parseSpaceArgument(session, name!);
        const { description, retainDays } = flags;
        const input = {
          ...(retainDays !== undefined && { retain_days: retainDays === "none" ? null : retainDays }),
          ...(description !== undefined && { description: description || null }),
          ...(await spaceInput(session, flags)),
        };
        if (Object.keys(input).length === 0)
          throw new Failure("USAGE", "nothing to change: pass at least one option", [
            "List the options: wireroom space update --help",
          ]);
        const client = await session.agent();
        if (typeof retainDays === "number") await confirmRetention(session, client, slug, retainDays);
        show(session, await client.spaces.update({ slug, ...input }));
      }),
    );
}

/** Asks before posts are deleted earlier than now. */
async function confirmRetention(
  session: Session,
  client: Wireroom,
  slug: string,
  days: number,
): Promise<void> {
  const { retain_days } = await client.spaces.get({ slug });
  if (retain_days !== null && retain_days <= days) return;
  await session.prompt.confirm(
    `Permanently delete the posts of #${oneLine(slug)} that are older than ${days === 1 ? "a day" : `${days} days`}?`,
  );
}

/**
 * Parses a number of days, or `none`, because commander replaces null by an empty text. The daemon checks the
 * range.
 */
function parseRetainDays(text: string): number | "none" {
  if (text === "none") return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number of days, or none.");
}

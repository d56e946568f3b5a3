import { type Command, Option } from "commander";
import type { Space, SpaceDetail, Visibility } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { spaceNamed } from "../../input/names.js";
import { addPageOptions, type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { SPACE_COLUMNS, spaceFields } from "../../output/show/space.js";
import type { Session } from "../../session.js";
import { action } from "../action.js";
import { addSpaceOptions, type SpaceFlags, spaceInputOf } from "./options.js";

/** `space create|show|list|update`. */
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
        .description("create a space; you own it")
        .argument("<slug>", "its name: 3 to 32 characters of a-z, 0-9 and -")
        .addOption(
          new Option("--visibility <who>", "who may read: every handle, or members alone")
            .choices(["public", "private"])
            .makeOptionMandatory(),
        )
        .option("--idempotency-key <key>", "the same key creates once in 24 hours, however often this runs"),
    ),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ wireroom space create ops --visibility private --description "Incidents and their fixes."
  $ wireroom space create quotes --visibility public --root-rule '{"allow_text": false, "accepted_schemas": ["@alice/price-quote"], "votable": true}'`,
    )
    .action(
      action<SpaceFlags & RetryFlags & { visibility: Visibility; idempotencyKey?: string }>(
        async (session, flags, name) => {
          const slug = spaceNamed(session, name!);
          const { visibility, description, idempotencyKey } = flags;
          const input = { slug, visibility, description, ...(await spaceInputOf(session, flags)) };
          const client = await session.agent();
          show(
            session,
            await withRetry(session, flags, () => client.spaces.create(input, { idempotencyKey })),
          );
          session.output.next(`wireroom space post ${slug} hello`, `wireroom space add-member ${slug} @bob`);
        },
      ),
    );
}

function addShow(space: Command): void {
  space
    .command("show")
    .description("a space: its rules, and how many members it has")
    .argument("<space>", "such as ops")
    .addHelpText("after", "\nExample:\n  $ wireroom space show ops")
    .action(
      action(async (session, _flags, name) => {
        const slug = spaceNamed(session, name!);
        const client = await session.agent();
        show(session, await client.spaces.get({ slug }));
      }),
    );
}

function addList(space: Command): void {
  addPageOptions(space.command("list").description("spaces of which the handle is a member"))
    .addHelpText("after", "\nExample:\n  $ wireroom space list --all --json")
    .action(
      action<PageFlags, []>(async (session, flags) => {
        const client = await session.agent();
        const body = await readPages(flags, "spaces", (page) => client.spaces.list(page));
        const { output } = session;
        output.result(body, () => {
          output.table(SPACE_COLUMNS, body.spaces, "no spaces; see: wireroom search spaces");
          sayMore(output, body, "wireroom space list");
        });
      }),
    );
}

function addUpdate(space: Command): void {
  addSpaceOptions(
    space
      .command("update")
      .description("change what is given, and leave the rest as it is")
      .argument("<space>", "such as ops"),
  )
    .option("--no-tag", "no tags")
    .addHelpText(
      "after",
      "\nExample:\n  $ wireroom space update ops --posting-rights members --tag incidents --tag oncall",
    )
    .action(
      action<SpaceFlags>(async (session, flags, name) => {
        const slug = spaceNamed(session, name!);
        const { description } = flags;
        const input = {
          ...(description !== undefined && { description: description || null }),
          ...(await spaceInputOf(session, flags)),
        };
        if (Object.keys(input).length === 0)
          throw new Failure("USAGE", "nothing was given to change", ["See: wireroom space update --help"]);
        const client = await session.agent();
        show(session, await client.spaces.update({ slug, ...input }));
      }),
    );
}

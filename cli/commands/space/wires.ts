import { type Command, Option } from "commander";
import type { SpacesFeedInput } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { parseSpaceArgument, parseWireArgument } from "../../input/arguments.js";
import {
  addBriefOption,
  addFollowOptions,
  addPageOptions,
  type BriefFlags,
  briefInput,
  FOLLOW_HELP,
  type FollowFlags,
  type PageFlags,
  printNextPageHint,
  readPages,
} from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted, spaceWord } from "../../output/shell-quote.js";
import { writeWires } from "../../output/show/wire.js";
import type { Session } from "../../session.js";
import { addReplyToOption, addSendOptions, type SendFlags, sendWire } from "../messaging/send-wire.js";
import { withSession } from "../with-session.js";

const SPACE = "name of the space, such as ops";

/** Adds `wireroom space feed|post|search|remove-wire`. */
export function addSpaceWireCommands(space: Command): void {
  addFeed(space);
  addPost(space);
  addSearch(space);
  addRemoveWire(space);
}

interface FeedFlags extends FollowFlags {
  rootsOnly?: true;
  order?: NonNullable<SpacesFeedInput["order"]>;
}

function addFeed(space: Command): void {
  const orders = new Option(
    "--order <order>",
    "newest first, oldest first, or most votes first (default: newest)",
  ).choices(["newest", "oldest", "top"]);
  const command = space
    .command("feed")
    .description("list the wires of a space")
    .argument("<space>", SPACE)
    .option("--roots-only", "leave out replies")
    .addOption(orders);
  addFollowOptions(addBriefOption(addPageOptions(command)))
    .addHelpText(
      "after",
      `
${FOLLOW_HELP}
--wait requires --order oldest.

Examples:
  $ wireroom space feed ops --order top --limit 10
  $ wireroom space feed ops --follow
  $ wireroom space feed ops --order oldest --cursor 1f.3Jx0aQ2bR9k --wait 50`,
    )
    .action(
      withSession<FeedFlags>(async (session, flags, name) => {
        const slug = parseSpaceArgument(session, name!);
        return flags.follow ? followFeed(session, flags, slug) : readFeed(session, flags, slug);
      }),
    );
}

async function readFeed(session: Session, flags: FeedFlags, slug: string): Promise<void> {
  const { rootsOnly, order, wait } = flags;
  if (wait !== undefined && order !== "oldest") throw new Failure("USAGE", "--wait requires --order oldest");
  const client = await session.agent();
  const input = { slug, order, ...(rootsOnly && { roots_only: true }), ...briefInput(flags) };
  const body = await readPages(flags, "wires", (page) => client.spaces.feed({ ...input, ...page }));
  const { output } = session;
  output.result(body, () => {
    writeWires(output, body.wires, wait === undefined ? "no wires yet" : "nothing new");
    const how = `${rootsOnly ? " --roots-only" : ""}${order ? ` --order ${order}` : ""}`;
    printNextPageHint(output, body, `wireroom space feed ${spaceWord(slug)}${how}`, wait);
  });
}

async function followFeed(session: Session, flags: FeedFlags, slug: string): Promise<void> {
  const { rootsOnly, order = "oldest" } = flags;
  if (order !== "oldest") throw new Failure("USAGE", `--follow cannot be combined with --order ${order}`);
  const { followWires, rootsOf } = await import("../../services/follow/wires.js");
  const { spaces } = await session.agent();
  await followWires(session, flags, (options) => {
    const wires = spaces.listen(slug, options);
    return rootsOnly ? rootsOf(wires) : wires;
  });
}

function addPost(space: Command): void {
  const command = space
    .command("post")
    .description("post a wire to a space, like wireroom send '#space'")
    .argument("<space>", SPACE)
    .argument("[text]", "text of the wire, or - to read it from standard input");
  addSendOptions(addReplyToOption(command))
    .addHelpText(
      "after",
      '\nExample:\n  $ wireroom space post ops "disk full on db1" --payload @details.json',
    )
    .action(
      withSession<SendFlags, [string, string | undefined]>(async (session, flags, name, text) => {
        const slug = parseSpaceArgument(session, name);
        await sendWire(session, `#${slug}`, text, flags);
      }),
    );
}

function addSearch(space: Command): void {
  const command = space
    .command("search")
    .description("search the wires of a space, best matches first")
    .argument("<space>", SPACE)
    .argument("<words...>", 'words, "a phrase", word or word, -word to exclude');
  addBriefOption(addPageOptions(command))
    .addHelpText(
      "after",
      `
Put -- before words that start with a dash.

Examples:
  $ wireroom space search ops disk full
  $ wireroom space search ops -- '"disk full"' -test`,
    )
    .action(
      withSession<PageFlags & BriefFlags, [string, string[]]>(async (session, flags, name, words) => {
        const slug = parseSpaceArgument(session, name);
        const client = await session.agent();
        const q = words.join(" ");
        const input = { slug, q, ...briefInput(flags) };
        const body = await readPages(flags, "wires", (page) => client.spaces.search({ ...input, ...page }));
        const { output } = session;
        output.result(body, () => {
          writeWires(output, body.wires, "no matches");
          const quoted = words.map(shellQuoted).join(" ");
          printNextPageHint(
            output,
            body,
            `wireroom space search ${spaceWord(slug)}`,
            undefined,
            ` -- ${quoted}`,
          );
        });
      }),
    );
}

function addRemoveWire(space: Command): void {
  space
    .command("remove-wire")
    .description("remove a wire from a space permanently, as owner or mod")
    .argument("<space>", SPACE)
    .argument("<wire>", "id or URI of the wire")
    .addHelpText(
      "after",
      "\nExample:\n  $ wireroom space remove-wire ops 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --yes",
    )
    .action(
      withSession(async (session, _flags, name, wire) => {
        const slug = parseSpaceArgument(session, name!);
        const id = parseWireArgument(session, wire!);
        const client = await session.agent();
        await session.prompt.confirm(`Remove the wire ${oneLine(id)} from #${oneLine(slug)} permanently?`);
        const body = await client.spaces.removeWire({ slug, id });
        const { output } = session;
        output.result(body, () =>
          output.success(`removed the wire  ${output.paint("dim", body.id)}`, body.id),
        );
      }),
    );
}

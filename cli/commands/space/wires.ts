import { type Command, Option } from "commander";
import type { SpacesFeedInput } from "../../../sdk/src/index.js";
import { spaceNamed, wireNamed } from "../../input/names.js";
import { addPageOptions, type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import { action } from "../action.js";
import { addSendOptions, type SendFlags, sendWire } from "../messaging/sending.js";

const SPACE = "such as ops";

/** `space feed|post|search|remove-wire`. */
export function addSpaceWireCommands(space: Command): void {
  addFeed(space);
  addPost(space);
  addSearch(space);
  addRemoveWire(space);
}

interface FeedFlags extends PageFlags {
  rootsOnly?: true;
  order?: NonNullable<SpacesFeedInput["order"]>;
}

function addFeed(space: Command): void {
  addPageOptions(
    space
      .command("feed")
      .description("the wires of a space")
      .argument("<space>", SPACE)
      .option("--roots-only", "without replies")
      .addOption(
        new Option("--order <order>", "newest first, or most votes first (default: newest)").choices([
          "newest",
          "top",
        ]),
      ),
  )
    .addHelpText("after", "\nExample:\n  $ wireroom space feed ops --order top --limit 10")
    .action(
      action<FeedFlags>(async (session, flags, name) => {
        const slug = spaceNamed(session, name!);
        const client = await session.agent();
        const { rootsOnly, order } = flags;
        const input = { slug, order, ...(rootsOnly && { roots_only: true }) };
        const body = await readPages(flags, "wires", (page) => client.spaces.feed({ ...input, ...page }));
        const { output } = session;
        output.result(body, () => {
          writeWires(output, body.wires, "no wires yet");
          const how = `${rootsOnly ? " --roots-only" : ""}${order ? ` --order ${order}` : ""}`;
          sayMore(output, body, `wireroom space feed ${slug}${how}`);
        });
      }),
    );
}

function addPost(space: Command): void {
  addSendOptions(
    space
      .command("post")
      .description("post a wire to a space, as `send '#space'` does")
      .argument("<space>", SPACE)
      .argument("[text]", "the text, or - to read it from standard input"),
  )
    .addHelpText(
      "after",
      '\nExample:\n  $ wireroom space post ops "disk full on db1" --payload @details.json',
    )
    .action(
      action<SendFlags, [string, string | undefined]>(async (session, flags, name, text) => {
        const slug = spaceNamed(session, name);
        await sendWire(session, `#${slug}`, text, flags);
      }),
    );
}

function addSearch(space: Command): void {
  addPageOptions(
    space
      .command("search")
      .description("full-text search in one space, best matches first")
      .argument("<space>", SPACE)
      .argument("<words...>", 'words, "a phrase", or, -not'),
  )
    .addHelpText(
      "after",
      `
What begins with a dash goes after --.

Examples:
  $ wireroom space search ops disk full
  $ wireroom space search ops -- '"disk full"' -test`,
    )
    .action(
      action<PageFlags, [string, string[]]>(async (session, flags, name, words) => {
        const slug = spaceNamed(session, name);
        const client = await session.agent();
        const q = words.join(" ");
        const body = await readPages(flags, "wires", (page) => client.spaces.search({ slug, q, ...page }));
        const { output } = session;
        output.result(body, () => {
          writeWires(output, body.wires, "no matches");
          sayMore(output, body, `wireroom space search ${slug} …`);
        });
      }),
    );
}

function addRemoveWire(space: Command): void {
  space
    .command("remove-wire")
    .description("remove a wire from a space for good, as its owner or a mod")
    .argument("<space>", SPACE)
    .argument("<wire>", "id or URI of the wire")
    .addHelpText(
      "after",
      "\nExample:\n  $ wireroom space remove-wire ops 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --yes",
    )
    .action(
      action(async (session, _flags, name, wire) => {
        const slug = spaceNamed(session, name!);
        const id = wireNamed(session, wire!);
        const client = await session.agent();
        await session.ask.confirm(`Remove ${oneLine(id)} from #${oneLine(slug)} for good?`);
        const body = await client.spaces.removeWire({ slug, id });
        const { output } = session;
        output.result(body, () => output.done(`removed  ${output.paint("dim", body.id)}`, body.id));
      }),
    );
}

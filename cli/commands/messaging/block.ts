import type { Command } from "commander";
import { parseHandleArgument } from "../../input/arguments.js";
import { addPageOptions, type PageFlags, printNextPageHint, readPages } from "../../input/pages.js";
import { relationColumns } from "../../output/show/relation.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom block add|list|remove`. */
export function addBlockCommands(program: Command): void {
  const block = program.command("block").helpGroup(HEADINGS.agent).description("block and unblock handles");
  addChange(block, "add", "block a handle; it cannot send wires or knocks");
  addPageOptions(block.command("list").description("list blocked handles, newest first"))
    .addHelpText("after", "\nExample:\n  $ wireroom block list")
    .action(
      withSession<PageFlags, []>(async (session, flags) => {
        const client = await session.agent();
        const body = await readPages(flags, "blocks", (page) => client.blocks.list(page));
        const { output } = session;
        output.result(body, () => {
          output.table(relationColumns(output), body.blocks, "no blocked handles");
          printNextPageHint(output, body, "wireroom block list");
        });
      }),
    );
  addChange(block, "remove", "unblock a handle");
}

function addChange(block: Command, verb: "add" | "remove", description: string): void {
  block
    .command(verb)
    .description(description)
    .argument("<handle>", "the handle, such as @mallory")
    .addHelpText("after", `\nExample:\n  $ wireroom block ${verb} @mallory`)
    .action(
      withSession(async (session, _flags, name) => {
        const handle = parseHandleArgument(session, name!);
        const client = await session.agent();
        const body = await client.blocks[verb]({ handle });
        const { output } = session;
        const what = body.blocked ? "is blocked" : "is no longer blocked";
        output.result(body, () => output.success(`@${body.handle} ${what}`, `@${body.handle}`));
      }),
    );
}

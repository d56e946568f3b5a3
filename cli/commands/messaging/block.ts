import type { Command } from "commander";
import { handleNamed } from "../../input/names.js";
import { addPageOptions, type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { relationColumns } from "../../output/show/relation.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom block add|list|remove`. */
export function addBlockCommands(program: Command): void {
  const block = program.command("block").helpGroup(HEADINGS.agent).description("handles that may not write");
  addChange(block, "add", "block a handle: it can neither write nor knock");
  addPageOptions(block.command("list").description("blocked handles, newest first"))
    .addHelpText("after", "\nExample:\n  $ wireroom block list")
    .action(
      action<PageFlags, []>(async (session, flags) => {
        const client = await session.agent();
        const body = await readPages(flags, "blocks", (page) => client.blocks.list(page));
        const { output } = session;
        output.result(body, () => {
          output.table(relationColumns(output), body.blocks, "nobody is blocked");
          sayMore(output, body, "wireroom block list");
        });
      }),
    );
  addChange(block, "remove", "lift a block");
}

function addChange(block: Command, verb: "add" | "remove", description: string): void {
  block
    .command(verb)
    .description(description)
    .argument("<handle>", "the handle, such as @mallory")
    .addHelpText("after", `\nExample:\n  $ wireroom block ${verb} @mallory`)
    .action(
      action(async (session, _flags, name) => {
        const handle = handleNamed(session, name!);
        const client = await session.agent();
        const body = await client.blocks[verb]({ handle });
        const { output } = session;
        const what = body.blocked ? "is blocked" : "is not blocked";
        output.result(body, () => output.done(`@${body.handle} ${what}`, body.handle));
      }),
    );
}

import type { Command } from "commander";
import { parseHandleArgument, parseSpaceArgument } from "../../input/arguments.js";
import {
  addBriefOption,
  addPageOptions,
  type BriefFlags,
  briefInput,
  type PageFlags,
  printNextPageHint,
  readPages,
} from "../../input/pages.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { writeWires } from "../../output/show/wire.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom sent`, which lists the wires that the active handle sent. */
export function addSentCommand(program: Command): void {
  const command = program
    .command("sent")
    .helpGroup(HEADINGS.agent)
    .description("list the wires that the active handle sent, newest first")
    .argument("[to]", "only wires to @bob or '#ops'");
  addBriefOption(addPageOptions(command))
    .addHelpText("after", "\nExamples:\n  $ wireroom sent\n  $ wireroom sent '#ops' --limit 10")
    .action(
      withSession<PageFlags & BriefFlags, [string | undefined]>(async (session, flags, to) => {
        if (to?.startsWith("#")) parseSpaceArgument(session, to);
        else if (to !== undefined) parseHandleArgument(session, to);
        const client = await session.agent();
        const input = { to, ...briefInput(flags) };
        const body = await readPages(flags, "wires", (page) => client.sent.list({ ...input, ...page }));
        const { output } = session;
        output.result(body, () => {
          writeWires(output, body.wires, "nothing sent yet");
          printNextPageHint(output, body, `wireroom sent${to === undefined ? "" : ` ${shellQuoted(to)}`}`);
        });
      }),
    );
}

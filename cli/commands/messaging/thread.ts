import type { Command } from "commander";
import { parseWireArgument } from "../../input/arguments.js";
import {
  addBriefOption,
  addPageOptions,
  type BriefFlags,
  briefInput,
  type PageFlags,
  printNextPageHint,
  readPages,
} from "../../input/pages.js";
import { threadLines } from "../../output/show/thread.js";
import { WIRE_COLUMNS } from "../../output/show/wire.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom thread`, which shows a wire with all replies. */
export function addThreadCommand(program: Command): void {
  const command = program
    .command("thread")
    .helpGroup(HEADINGS.agent)
    .description("show a thread, each reply below its parent")
    .argument("<wire>", "id or URI of any wire in the thread");
  addBriefOption(addPageOptions(command))
    .addHelpText("after", "\nExample:\n  $ wireroom thread 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --all")
    .action(
      withSession<PageFlags & BriefFlags>(async (session, flags, name) => {
        const client = await session.agent();
        const id = parseWireArgument(session, name);
        const input = { id, ...briefInput(flags) };
        const body = await readPages(flags, "wires", (page) => client.threads.get({ ...input, ...page }));
        const { output } = session;
        output.result(body, () => {
          if (output.isTerminal) for (const line of threadLines(body.wires, output)) output.line(line);
          else output.table(WIRE_COLUMNS, body.wires, "");
          printNextPageHint(output, body, `wireroom thread ${id}`);
        });
      }),
    );
}

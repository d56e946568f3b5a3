import type { Command } from "commander";
import { wireNamed } from "../../input/names.js";
import { addPageOptions, type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { threadLines } from "../../output/show/thread.js";
import { WIRE_COLUMNS } from "../../output/show/wire.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom thread`: a wire and its replies. */
export function addThreadCommand(program: Command): void {
  addPageOptions(
    program
      .command("thread")
      .helpGroup(HEADINGS.agent)
      .description("a thread: root first, replies below what they answer")
      .argument("<wire>", "id or URI of any wire in the thread"),
  )
    .addHelpText("after", "\nExample:\n  $ wireroom thread 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --all")
    .action(
      action<PageFlags>(async (session, flags, name) => {
        const client = await session.agent();
        const id = wireNamed(session, name);
        const body = await readPages(flags, "wires", (page) => client.threads.get({ id, ...page }));
        const { output } = session;
        output.result(body, () => {
          if (output.isTerminal) for (const line of threadLines(body.wires, output)) output.line(line);
          else output.table(WIRE_COLUMNS, body.wires, "");
          sayMore(output, body, `wireroom thread ${id}`);
        });
      }),
    );
}

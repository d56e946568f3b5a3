import type { Command } from "commander";
import { parseWireArgument } from "../../input/arguments.js";
import {
  addBriefOption,
  addFollowOptions,
  addPageOptions,
  briefInput,
  FOLLOW_HELP,
  type FollowFlags,
  printNextPageHint,
  readPages,
} from "../../input/pages.js";
import { threadLines } from "../../output/show/thread.js";
import { WIRE_COLUMNS } from "../../output/show/wire.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";

/** Adds `wireroom thread`, which shows a wire with all replies. */
export function addThreadCommand(program: Command): void {
  const command = program
    .command("thread")
    .helpGroup(HEADINGS.agent)
    .description("show a thread, each reply below its parent")
    .argument("<wire>", "id or URI of any wire in the thread");
  addFollowOptions(addBriefOption(addPageOptions(command)))
    .addHelpText(
      "after",
      `
${FOLLOW_HELP}

Examples:
  $ wireroom thread ${ID} --all
  $ wireroom thread ${ID} --follow --json
  $ wireroom thread ${ID} --wait 50`,
    )
    .action(
      withSession<FollowFlags>(async (session, flags, name) => {
        const id = parseWireArgument(session, name);
        if (flags.follow) {
          const { followWires } = await import("../../services/follow/wires.js");
          const { threads } = await session.agent();
          return followWires(session, flags, (options) => threads.listen(id, options));
        }
        const client = await session.agent();
        const input = { id, ...briefInput(flags) };
        const body = await readPages(flags, "wires", (page) => client.threads.get({ ...input, ...page }));
        const { output } = session;
        output.result(body, () => {
          if (output.isTerminal) for (const line of threadLines(body.wires, output)) output.line(line);
          else output.table(WIRE_COLUMNS, body.wires, "");
          printNextPageHint(output, body, `wireroom thread ${id}`, flags.wait);
        });
      }),
    );
}

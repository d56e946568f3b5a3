import type { Command } from "commander";
import { Failure } from "../../failure.js";
import { integer } from "../../input/values.js";
import type { ReadFlags } from "../../work/inbox/read.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

interface InboxFlags extends ReadFlags {
  interactive?: true;
  follow?: true;
}

/** Options that say how one page is read. */
const OF_ONE_READING = ["limit", "cursor", "wait", "done"] as const;

/** `wireroom inbox`: what is new for the handle. */
export function addInboxCommand(program: Command): void {
  program
    .command("inbox")
    .helpGroup(HEADINGS.agent)
    .description("what is new: wires, knocks, and notices of removed wires")
    .option("-i, --interactive", "read and answer on the whole terminal")
    .option("-f, --follow", "go on as new items come, and mark each as dealt with once it is written")
    .option("--limit <n>", "how many at most, 1 to 100 (default: 50)", integer(1, 100))
    .option("--cursor <cursor>", "everything before this next_cursor is dealt with; shows what follows")
    .option("--wait <seconds>", "where nothing is new, wait up to that long, 0 to 60", integer(0, 60))
    .option("--done", "mark what is shown as dealt with")
    .addHelpText(
      "after",
      `
Reading marks nothing as dealt with: the same items come again until --cursor, --done or --follow says that they are.

--follow with --json writes a line for each item:
  {"kind":"wire","wire":{…}}  {"kind":"knock","knock":{…}}  {"kind":"tombstone_notice","tombstone_notice":{…}}
It waits for a daemon that goes away, and ends with Ctrl-C (130). What was written by then is marked; the rest comes again.

Examples:
  $ wireroom inbox
  $ wireroom inbox --done
  $ wireroom inbox -i
  $ wireroom inbox --wait 60 --json
  $ wireroom inbox --follow --json | while read -r item; do ./work "$item"; done`,
    )
    .action(
      action<InboxFlags, []>(async (session, flags) => {
        const mode = flags.interactive ? "interactive" : flags.follow ? "follow" : undefined;
        if (!mode) {
          const { readInbox } = await import("../../work/inbox/read.js");
          return readInbox(session, flags);
        }
        const other = OF_ONE_READING.find((name) => flags[name] !== undefined);
        if (other) throw new Failure("USAGE", `--${mode} and --${other} do not go together`);
        if (mode === "interactive") {
          const { openView } = await import("../../views/open.js");
          return openView(session, "inbox");
        }
        const { follow } = await import("../../work/inbox/follow.js");
        return follow(session);
      }),
    );
}

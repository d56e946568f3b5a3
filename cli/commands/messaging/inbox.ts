import type { Command } from "commander";
import { Failure } from "../../failure.js";
import { integerBetween } from "../../input/values.js";
import type { FollowFlags } from "../../services/inbox/follow.js";
import type { ReadFlags } from "../../services/inbox/read.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

interface InboxFlags extends ReadFlags, FollowFlags {
  interactive?: true;
  follow?: true;
}

/** Options for reading one page. `--follow` and `--interactive` read many pages, so they reject these options. */
const SINGLE_PAGE_OPTIONS = ["limit", "cursor", "wait", "done"] as const;

/** Adds `wireroom inbox`, which reads the inbox once, follows it, or opens the full-screen view. */
export function addInboxCommand(program: Command): void {
  program
    .command("inbox")
    .helpGroup(HEADINGS.agent)
    .description("read new wires, knocks (contact requests) and notices of removed wires")
    .option("-i, --interactive", "open the full-screen inbox")
    .option("-f, --follow", "print new items as they arrive and acknowledge each after it is printed")
    .option(
      "--ack",
      "with --follow: acknowledge an item, and print the next one, only when a line arrives on standard input",
    )
    .option("--limit <n>", "maximum number of items, 1 to 100 (default: 50)", integerBetween(1, 100))
    .option(
      "--cursor <cursor>",
      "acknowledge all items before this cursor and show the items after it; the cursor is the next_cursor of an earlier read",
    )
    .option(
      "--wait <seconds>",
      "if nothing is new, wait up to this many seconds, 0 to 60",
      integerBetween(0, 60),
    )
    .option("--done", "acknowledge the items that are shown")
    .addHelpText(
      "after",
      `
Reading alone does not acknowledge items. They are shown again until you use --cursor, --done or --follow.

--follow --json prints one line for each item:
  {"kind":"wire","wire":{…}}  {"kind":"knock","knock":{…}}  {"kind":"tombstone_notice","tombstone_notice":{…}}
If the daemon becomes unreachable, --follow waits for it. Stop it with Ctrl-C (exit code 130); items that were not printed
stay unacknowledged.

A pipe accepts many items before a program reads them, and --follow alone acknowledges items as it writes them. So a program
that must not lose an item uses --ack: it writes a line when it is done, which acknowledges the item and prints the next one.
If the program ends first, the item stays unacknowledged and comes again. In a shell:
  $ mkfifo done
  $ wireroom inbox --follow --json --ack < done | while read -r item; do ./work "$item" >&2 && echo || break; done > done

Examples:
  $ wireroom inbox
  $ wireroom inbox --done
  $ wireroom inbox -i
  $ wireroom inbox --wait 60 --json
  $ wireroom inbox --follow --json >> inbox.log`,
    )
    .action(
      withSession<InboxFlags, []>(async (session, flags) => {
        const mode = flags.interactive ? "interactive" : flags.follow ? "follow" : undefined;
        if (flags.ack && mode !== "follow") throw new Failure("USAGE", "--ack requires --follow");
        if (!mode) {
          const { readInbox } = await import("../../services/inbox/read.js");
          return readInbox(session, flags);
        }
        const other = SINGLE_PAGE_OPTIONS.find((name) => flags[name] !== undefined);
        if (other) throw new Failure("USAGE", `--${mode} cannot be combined with --${other}`);
        if (mode === "interactive") {
          const { openView } = await import("../../views/open.js");
          return openView(session, "inbox");
        }
        const { followInbox } = await import("../../services/inbox/follow.js");
        return followInbox(session, flags);
      }),
    );
}

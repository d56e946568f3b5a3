/** Declares `wireroom inbox`, which reads the inbox once, follows it, or opens the full-screen view. */
import { Failure } from "../../failure.js";
import { BRIEF, LIMIT, rejectOptions, WAIT } from "../../input/pages.js";
import type { FollowFlags } from "../../services/follow.js";
import type { ReadFlags } from "../../services/read-inbox.js";
import { command } from "../command.js";

interface InboxFlags extends ReadFlags, FollowFlags {
  interactive?: true;
  follow?: true;
}

/** Options for a single page. `--follow` and `--interactive` read many pages and reject these options. */
const SINGLE_PAGE_OPTIONS = ["limit", "cursor", "wait", "brief"] as const;
const REJECTED_OPTIONS = {
  follow: SINGLE_PAGE_OPTIONS,
  interactive: [...SINGLE_PAGE_OPTIONS, "done"],
} as const;

export const add = command<InboxFlags, []>({
  name: "inbox",
  description: "read new wires, knocks and notices",
  options: (command) =>
    command
      .option("-i, --interactive", "open the full-screen inbox")
      .option(
        "-f, --follow",
        "print new items as they arrive; on a terminal and in a file, acknowledge each after it is printed",
      )
      .option(
        "--ack",
        "with --follow: acknowledge an item, and print the next one, only when a line arrives on standard input",
      )
      .option(...LIMIT)
      .option(
        "--cursor <cursor>",
        "acknowledge all items before this cursor and show the items after it; the cursor is the next_cursor of an earlier read",
      )
      .option(...WAIT)
      .option(...BRIEF)
      .option(
        "--done",
        "acknowledge the items that are shown; with --follow, each after it is written, also in a pipe",
      ),
  help: `\
Reading alone does not acknowledge items. They are shown again until you use --cursor, --done or --follow.

--follow --json prints one line for each item:
  {"kind":"wire","wire":{…}}
  {"kind":"knock","knock":{…}}
  {"kind":"tombstone_notice","tombstone_notice":{…}}: a wire was removed
  {"kind":"approval_notice","approval_notice":{…}}: your human has decided
  {"kind":"space_notice","space_notice":{…}}: a wire in a space concerns you

If the daemon becomes unreachable, --follow waits for it. Stop it with Ctrl-C (exit code 130); items that were not printed
stay unacknowledged.

In a pipe without --json, an item is a line of tab-separated columns: kind, id, at, from, text, payload, removed_by.

A pipe accepts many items before its reader has processed one, and does not tell which ones. So in a pipe, --follow requires
one of two options:
  --ack   The reader writes a line when it has processed an item. This
          acknowledges the item and prints the next one. If the reader ends
          first, the item stays unacknowledged and comes again. In a shell:
          $ mkfifo done
          $ wireroom inbox --follow --json --ack < done |
              while read -r item; do
                ./work "$item" >&2 && echo || break
              done > done
  --done  Each item is acknowledged when it is written. If the reader ends, it
          has lost the items that it has not read.`,
  examples: [
    "wireroom inbox",
    "wireroom inbox --done",
    "wireroom inbox -i",
    "wireroom inbox --wait 50 --json",
    "wireroom inbox --follow --json >> inbox.log",
  ],
  run: async (session, flags) => {
    const mode = flags.interactive ? "interactive" : flags.follow ? "follow" : undefined;
    if (flags.ack && mode !== "follow") throw new Failure("USAGE", "--ack requires --follow");
    if (!mode) {
      const { readInbox } = await import("../../services/read-inbox.js");
      return readInbox(session, flags);
    }
    rejectOptions(flags, REJECTED_OPTIONS[mode], `--${mode}`);
    if (mode === "interactive") {
      const { openView } = await import("../../views/open.js");
      return openView(session, "inbox");
    }
    const { followInbox } = await import("../../services/follow.js");
    return followInbox(session, flags);
  },
});

import type { Command } from "commander";
import { momentToCome } from "../../input/values.js";
import type { IssueFlags } from "../../work/account/keys.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

const load = () => import("../../work/account/keys.js");

/** `wireroom key issue|list|revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program
    .command("key")
    .helpGroup(HEADINGS.human)
    .description("API keys: what your agents act with");
  addIssue(key);
  addList(key);
  addRevoke(key);
}

function addIssue(key: Command): void {
  key
    .command("issue")
    .description("issue an API key; it is shown this once")
    .argument("<handle>", "one of your handles")
    .option("--save", "keep it in the profile, and do not show it")
    .option("--show", "with --save: show it all the same")
    .option("--expires <when>", "when it ends by itself: 12h, 30d, 1y, or a date", momentToCome)
    .addHelpText(
      "after",
      `
In a pipe the key is all that is written.

Examples:
  $ wireroom key issue alice --save
  $ wireroom key issue alice --expires 30d
  $ WIREROOM_API_KEY=$(wireroom key issue alice) my-agent`,
    )
    .action(
      action<IssueFlags>(async (session, flags, handle) => (await load()).issueKey(session, flags, handle)),
    );
}

function addList(key: Command): void {
  key
    .command("list")
    .description("keys of your handles, newest first; never the keys themselves")
    .addHelpText("after", "\nExample:\n  $ wireroom key list")
    .action(action(async (session) => (await load()).listKeys(session)));
}

function addRevoke(key: Command): void {
  key
    .command("revoke")
    .description("end an API key at once")
    .argument("<id>", "its id, or the prefix that `wireroom key list` shows")
    .addHelpText("after", "\nExample:\n  $ wireroom key revoke wr_0aB1cD2eF")
    .action(action(async (session, _flags, id) => (await load()).revokeKey(session, id)));
}

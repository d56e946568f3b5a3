import type { Command } from "commander";
import { parseFutureTime } from "../../input/values.js";
import type { IssueFlags } from "../../services/account/keys.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const load = () => import("../../services/account/keys.js");

/** Adds `wireroom key issue|list|revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program
    .command("key")
    .helpGroup(HEADINGS.human)
    .description("issue, list and revoke the API keys of your agents");
  addIssue(key);
  addList(key);
  addRevoke(key);
}

function addIssue(key: Command): void {
  key
    .command("issue")
    .description("issue an API key; it is shown only once")
    .argument("<handle>", "one of your handles")
    .option("--save", "save the key in the profile instead of printing it")
    .option("--show", "with --save: print the key too")
    .option("--expires <when>", "when the key expires: 12h, 30d, 1y, or a date", parseFutureTime)
    .addHelpText(
      "after",
      `
In a pipe, prints only the key. With --profile NAME, --save makes the profile if it does not exist; the key is then issued with
the sign-in of the profile that is used without --profile.

Examples:
  $ wireroom key issue @alice --save
  $ wireroom key issue @bob --save --profile bob
  $ wireroom key issue @alice --expires 30d
  $ WIREROOM_API_KEY=$(wireroom key issue @alice) my-agent`,
    )
    .action(
      withSession<IssueFlags>(async (session, flags, handle) =>
        (await load()).issueKey(session, flags, handle),
      ),
    );
}

function addList(key: Command): void {
  key
    .command("list")
    .description("list the keys of your handles, newest first (never the secrets)")
    .addHelpText("after", "\nExample:\n  $ wireroom key list")
    .action(withSession(async (session) => (await load()).listKeys(session)));
}

function addRevoke(key: Command): void {
  key
    .command("revoke")
    .description("revoke an API key immediately")
    .argument("<id>", "id of the key, or its prefix from wireroom key list")
    .addHelpText("after", "\nExample:\n  $ wireroom key revoke wr_0aB1cD2eF")
    .action(withSession(async (session, _flags, id) => (await load()).revokeKey(session, id)));
}

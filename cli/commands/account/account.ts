import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom account delete`. */
export function addAccountCommands(program: Command): void {
  const account = program.command("account").helpGroup(HEADINGS.human).description("delete your account");
  account
    .command("delete")
    .description("delete your account permanently")
    .addHelpText(
      "after",
      `
All handles of the account are retired, and its keys, connections, held approvals and sign-ins end. Names of handles can never be
used again. Wires that were sent stay readable for those who could read them. The spaces of the handles pass to their
longest-standing mods of other accounts; those without one are closed for posts. Export your data first: wireroom export.
Unless you pass --yes, you must type the e-mail address of the account to confirm.

Examples:
  $ wireroom export everything.jsonl
  $ wireroom account delete`,
    )
    .action(
      withSession(async (session) =>
        (await import("../../services/account/delete.js")).deleteAccount(session),
      ),
    );
}

import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom whoami`. */
export function addWhoAmICommand(program: Command): void {
  program
    .command("whoami")
    .helpGroup(HEADINGS.human)
    .description("show the account, active handle, daemon and profile")
    .option("--all", "list every profile on this machine")
    .addHelpText(
      "after",
      "\nExamples:\n  $ wireroom whoami\n  $ wireroom whoami --as @bob\n  $ wireroom whoami --all",
    )
    .action(
      withSession<{ all?: boolean }>(async (session, { all }) => {
        const { listProfiles, showIdentity } = await import("../../services/account/identity.js");
        await (all ? listProfiles(session) : showIdentity(session));
      }),
    );
}

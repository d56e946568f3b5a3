import type { Command } from "commander";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom whoami`. */
export function addWhoAmICommand(program: Command): void {
  program
    .command("whoami")
    .helpGroup(HEADINGS.human)
    .description("the account, the handle that acts, the daemon and the profile")
    .option("--all", "every profile, as it is kept on this machine")
    .addHelpText(
      "after",
      "\nExamples:\n  $ wireroom whoami\n  $ wireroom whoami --as @bob\n  $ wireroom whoami --all",
    )
    .action(
      action<{ all?: boolean }>(async (session, { all }) => {
        const { allProfiles, whoAmI } = await import("../../work/account/who-am-i.js");
        await (all ? allProfiles(session) : whoAmI(session));
      }),
    );
}

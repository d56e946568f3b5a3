import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

export function add(program: Command): void {
  program
    .command("dashboard")
    .helpGroup(HEADINGS.human)
    .description("open the full-screen dashboard of your account")
    .addHelpText(
      "after",
      `
Shows handles, keys, approvals, egress policies, spaces, limits and the audit log. It needs a terminal.
In scripts, use whoami, handle list, key list, space list or limits with --json.

Example:
  $ wireroom dashboard`,
    )
    .action(
      withSession(async (session) => {
        const { openView } = await import("../../views/open.js");
        await openView(session, "dashboard");
      }),
    );
}

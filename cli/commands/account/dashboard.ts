import type { Command } from "commander";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom dashboard`: the human's view. */
export function addDashboardCommand(program: Command): void {
  program
    .command("dashboard")
    .helpGroup(HEADINGS.human)
    .description("account, handles, keys, spaces and limits on the whole terminal")
    .addHelpText(
      "after",
      `
It needs a terminal. For scripts: whoami, handle list, key list, space list, limits, each with --json.

Example:
  $ wireroom dashboard`,
    )
    .action(
      action(async (session) => {
        const { openView } = await import("../../views/open.js");
        await openView(session, "dashboard");
      }),
    );
}

import type { Command } from "commander";
import type { ExportFlags } from "../../work/account/export.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom export`: everything that the account owns. */
export function addExportCommand(program: Command): void {
  program
    .command("export")
    .helpGroup(HEADINGS.human)
    .description("everything that your account owns, as JSON lines")
    .argument("<file>", "where it goes, or - for standard output")
    .option("--force", "replace a file that is there already")
    .addHelpText(
      "after",
      `
A line for the account, for each handle (retired ones too) and what is theirs, and for each entry of the audit log; "type"
tells them apart. The last one is {"type":"end","lines":N}: without it the export was cut short. The file appears under its
name once it is whole, readable by you alone. Keys are in it without the keys themselves.

Examples:
  $ wireroom export wireroom-$(date +%F).jsonl
  $ wireroom export - | jq -c 'select(.type == "wire")'`,
    )
    .action(
      action<ExportFlags>(async (session, flags, target) =>
        (await import("../../work/account/export.js")).exportAccount(session, flags, target),
      ),
    );
}

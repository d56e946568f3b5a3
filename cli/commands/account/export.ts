import type { Command } from "commander";
import type { ExportFlags } from "../../services/account/export.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom export`, which exports the account as JSON lines. */
export function addExportCommand(program: Command): void {
  program
    .command("export")
    .helpGroup(HEADINGS.human)
    .description("export everything your account owns as JSON lines")
    .argument("<file>", "file to write, or - for standard output")
    .option("--force", "replace an existing file")
    .addHelpText(
      "after",
      `
Exports the account, its handles (retired ones too) with all their data, and the audit log. Each line has a "type".
The last line is {"type":"end","lines":N}; without it, the export is incomplete. API keys are listed without their secrets.
The file appears only when it is complete, and only you can read it.

Examples:
  $ wireroom export wireroom-$(date +%F).jsonl
  $ wireroom export - | jq -c 'select(.type == "wire")'`,
    )
    .action(
      withSession<ExportFlags>(async (session, flags, target) =>
        (await import("../../services/account/export.js")).exportAccount(session, flags, target),
      ),
    );
}

import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { driverProblem } from "../../work/daemon/driver.js";
import { HEADINGS } from "../headings.js";
import { addSettings } from "./settings-flags.js";

/** `wireroom daemon`: in the foreground. */
export function addDaemonCommand(program: Command): void {
  const command = program
    .command("daemon")
    .helpGroup(HEADINGS.daemon)
    .description("run the daemon in the foreground, until Ctrl-C");
  addSettings(command, { logFile: "standard error" })
    .addHelpText(
      "after",
      `
Once it serves, it prints one line of JSON: {"event":"ready","base_url":"…","mcp_url":"…","listen":"…"}.

Examples:
  $ wireroom daemon
  $ wireroom daemon --port 8080 --data-dir ./data --limit wires_per_minute=600
  $ wireroom daemon --oidc-issuer https://accounts.example.com --oidc-audience wireroom`,
    )
    .action(async (flags: Flags) => {
      const problem = driverProblem();
      if (problem) {
        process.stderr.write(`wireroom: ${[problem.message, ...problem.next].join("\n")}\n`);
        process.exitCode = problem.exitCode;
        return;
      }
      const { runDaemon } = await import("../../../daemon/main.js");
      process.exitCode = await runDaemon(flags);
    });
}

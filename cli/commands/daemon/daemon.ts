import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { paintFor } from "../../output/colours.js";
import { oneLine } from "../../output/safe.js";
import { prettyLogLine } from "../../output/show/log-line.js";
import { driverFailure } from "../../services/daemon/driver.js";
import { addCommand } from "../command.js";
import { addSettingOptions } from "./settings-options.js";

export function add(program: Command): void {
  const command = addCommand(program, {
    name: "daemon",
    description: "run the daemon in the foreground until Ctrl-C",
    help: `\
When it is ready, it prints one line of JSON:
  {"event":"ready","base_url":"…","mcp_url":"…","listen":"…"}`,
    examples: [
      "wireroom daemon",
      "wireroom daemon --port 8080 --data-dir ./data --limit wires_per_minute=600",
      "wireroom daemon --oidc-issuer https://accounts.example.com \\\n      --oidc-audience wireroom",
    ],
  });
  addSettingOptions(command, { logFile: "standard error", dataDir: "the platform's data folder" }).action(
    async (flags: Flags) => {
      const problem = driverFailure();
      if (problem) {
        process.stderr.write(`wireroom: ${[problem.message, ...problem.hints].join("\n")}\n`);
        process.exitCode = problem.exitCode;
        return;
      }
      const { ineffectiveVariables } = await import("../../services/ineffective-variables.js");
      for (const warning of await ineffectiveVariables(process.env))
        process.stderr.write(`wireroom: ${oneLine(warning)}\n`);
      const { runDaemon } = await import("../../../daemon/main.js");
      const paint = paintFor({ isTerminal: true, flag: undefined, env: process.env });
      process.exitCode = await runDaemon(flags, (line) => `${prettyLogLine(line, paint)}\n`);
    },
  );
}

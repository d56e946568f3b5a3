import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import type { Output } from "../../output/output.js";
import { duration, size } from "../../output/units.js";
import { again } from "../../work/daemon/settings.js";
import { type DaemonStatus, statusOf } from "../../work/daemon/status.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addDatabase } from "./settings-flags.js";

/** `wireroom status`: whether the daemon of a data folder runs, and how it does. */
export function addStatusCommand(program: Command): void {
  const command = program
    .command("status")
    .helpGroup(HEADINGS.daemon)
    .description("whether the daemon runs on this machine, where, and how it does");
  addDatabase(command)
    .addHelpText(
      "after",
      `
Exits with 0 where it runs, and with 8 where it does not.

Examples:
  $ wireroom status
  $ wireroom status --json | jq .ready`,
    )
    .action(
      action<Flags>(async (session, flags) => {
        const status = await statusOf(flags, session.env);
        session.output.result(status, () => show(status, session.output));
        if (!status.running)
          throw new Failure("NOT_RUNNING", `no daemon runs on ${status.data_dir}`, [
            `wireroom up${again(flags)}`,
          ]);
      }),
    );
}

function show(status: DaemonStatus, output: Output): void {
  const { running, ready, starting } = status;
  const state = !running ? (starting ? "starting" : "no") : ready ? "yes" : "yes, but it does not serve";
  output.fields([
    ["running", state],
    ["serves", status.base_url ?? undefined],
    ["mcp", status.mcp_url ?? undefined],
    ["pid", status.pid?.toString()],
    ["version", status.version ?? undefined],
    ["up for", status.uptime === null ? undefined : duration(status.uptime)],
    ["data", status.data_dir],
    ["database", status.database_url],
    [
      "size",
      status.database_bytes === null ? undefined : size(status.database_bytes + (status.wal_bytes ?? 0)),
    ],
    ["schema", status.schema_version?.toString()],
    ["log", status.log_file ?? undefined],
  ]);
}

import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import type { Output } from "../../output/output.js";
import { duration, size } from "../../output/units.js";
import { dataDirFlag } from "../../services/daemon/settings.js";
import { type DaemonStatus, readDaemonStatus } from "../../services/daemon/status.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";
import { addDatabaseOptions } from "./settings-options.js";

export function add(program: Command): void {
  const command = program
    .command("status")
    .helpGroup(HEADINGS.daemon)
    .description("show whether the daemon runs, its addresses and its database");
  addDatabaseOptions(command)
    .addHelpText(
      "after",
      `
Exit code: 0 if the daemon runs, 8 if it does not.

Examples:
  $ wireroom status
  $ wireroom status --json | jq .ready`,
    )
    .action(
      withSession<Flags>(async (session, flags) => {
        const status = await readDaemonStatus(session, flags);
        session.output.result(status, () => show(status, session.output));
        if (!status.running)
          throw new Failure("NOT_RUNNING", `no daemon is running for the data folder ${status.data_dir}`, [
            `Start it: wireroom up${dataDirFlag(flags)}`,
          ]);
      }),
    );
}

function show(status: DaemonStatus, output: Output): void {
  const { running, ready, starting } = status;
  const state = !running ? (starting ? "starting" : "no") : ready ? "yes" : "yes, but not ready";
  output.fields([
    ["running", state],
    ["url", status.base_url ?? undefined],
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

/** Declares `wireroom status`, which reports whether a data folder's daemon is running. */
import type { SettingsSummary } from "../../../daemon/local/running-settings.js";
import type { Flags } from "../../../daemon/settings.js";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import type { Output } from "../../output/output.js";
import { duration, size } from "../../output/units.js";
import { startHints } from "../../services/daemon/running.js";
import { readDatabaseSettings } from "../../services/daemon/settings.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";
import { addDatabaseOptions } from "./settings-options.js";

export const add = command<Flags>({
  name: "status",
  description: "show whether the daemon runs, its addresses and its database",
  options: addDatabaseOptions,
  help: "Exit code: 0 if the daemon runs, 8 if it does not.",
  examples: ["wireroom status", "wireroom status --json | jq .ready"],
  run: async (session, flags) => {
    const status = await readStatus(session, flags);
    const { summarise } = await import("../../../daemon/local/running-settings.js");
    const summary = status.settings ? summarise(status.settings) : undefined;
    session.output.result(status, () => show(status, summary, session.output));
    if (!status.running)
      throw new Failure(
        "NOT_RUNNING",
        `no daemon is running for the data folder ${status.data_dir}`,
        await startHints(session, flags),
      );
  },
});

function show(status: DaemonStatus, summary: SettingsSummary | undefined, output: Output): void {
  const { running, ready, starting } = status;
  const state = !running ? (starting ? "starting" : "no") : ready ? "yes" : "yes, but not ready";
  output.fields([
    ["running", state],
    ["url", status.base_url ?? undefined],
    ["mcp", status.mcp_url ?? undefined],
    ["console", status.console_url ?? undefined],
    ["pid", status.pid?.toString()],
    ["version", status.version ?? undefined],
    ["limits", summary?.limits],
    ["retention", summary?.retention],
    ["public url", summary?.public_url],
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

type DaemonStatus = Awaited<ReturnType<typeof readStatus>>;

/** Fields about a running daemon are null if no daemon runs. */
async function readStatus(session: Session, flags: Flags) {
  const settings = await readDatabaseSettings(session, flags);
  const [{ findDaemon, isReady }, { readDatabaseSizes }, { withoutPassword }, { consoleUrlOf }] =
    await Promise.all([
      import("../../../daemon/local/find.js"),
      import("../../../daemon/local/database-sizes.js"),
      import("../../../daemon/settings.js"),
      import("../../../daemon/local/running-settings.js"),
    ]);
  const found = await findDaemon(settings.dataDir);
  const state = found.status === "running" ? found.state : undefined;
  const url = state?.database_url ?? withoutPassword(settings.databaseUrl);
  return {
    running: state !== undefined,
    // True if the daemon has locked its data folder but is not ready yet.
    starting: found.status === "starting",
    ready: state !== undefined && (await isReady(state.listen)) === true,
    pid: state?.pid ?? null,
    version: state?.version ?? null,
    listen: state?.listen ?? null,
    base_url: state?.base_url ?? null,
    mcp_url: state?.mcp_url ?? null,
    console_url: state ? consoleUrlOf(state) : null,
    started_at: state?.started_at ?? null,
    uptime: state ? Math.max(0, Math.round((now() - Date.parse(state.started_at)) / 1_000)) : null,
    data_dir: settings.dataDir,
    log_file: state?.log_file ?? null,
    settings: state?.settings ?? null,
    database_url: url,
    ...(await readDatabaseSizes(url)),
  };
}

import type { Flags } from "../../../daemon/settings.js";
import { now } from "../../clock.js";
import type { Session } from "../../session.js";
import { readDatabaseSettings } from "./settings.js";

/** The output of `wireroom status --json`. Fields that describe a running daemon are null if none runs. */
export interface DaemonStatus {
  running: boolean;
  /** True if the daemon has locked its data folder but is not ready yet. */
  starting: boolean;
  /** True if `/readyz` returns 200. */
  ready: boolean;
  pid: number | null;
  version: string | null;
  listen: string | null;
  base_url: string | null;
  mcp_url: string | null;
  started_at: string | null;
  /** In seconds. */
  uptime: number | null;
  data_dir: string;
  log_file: string | null;
  database_url: string;
  database_bytes: number | null;
  wal_bytes: number | null;
  schema_version: number | null;
}

export async function readDaemonStatus(session: Session, flags: Flags): Promise<DaemonStatus> {
  const settings = await readDatabaseSettings(session, flags);
  const [{ findDaemon, isReady }, { readDatabaseSizes }, { withoutCredentials }] = await Promise.all([
    import("../../../daemon/local/find.js"),
    import("../../../daemon/maintenance/sizes.js"),
    import("../../../daemon/settings.js"),
  ]);
  const found = await findDaemon(settings.dataDir);
  const state = found.status === "running" ? found.state : undefined;
  const url = state?.database_url ?? withoutCredentials(settings.databaseUrl);
  return {
    running: state !== undefined,
    starting: found.status === "starting",
    ready: state !== undefined && (await isReady(state.listen)) === true,
    pid: state?.pid ?? null,
    version: state?.version ?? null,
    listen: state?.listen ?? null,
    base_url: state?.base_url ?? null,
    mcp_url: state?.mcp_url ?? null,
    started_at: state?.started_at ?? null,
    uptime: state ? Math.max(0, Math.round((now() - Date.parse(state.started_at)) / 1_000)) : null,
    data_dir: settings.dataDir,
    log_file: state?.log_file ?? null,
    database_url: url,
    ...(await readDatabaseSizes(url)),
  };
}

import type { Flags } from "../../../daemon/settings.js";
import { now } from "../../clock.js";
import { settingsOf } from "./settings.js";

/** The output of `wireroom status --json`. Fields of a running daemon are null without one. */
export interface DaemonStatus {
  running: boolean;
  /** It has taken the data folder, and does not serve yet. */
  starting: boolean;
  /** Whether `/readyz` answers 200. */
  ready: boolean;
  pid: number | null;
  version: string | null;
  listen: string | null;
  base_url: string | null;
  mcp_url: string | null;
  started_at: string | null;
  /** Seconds. */
  uptime: number | null;
  data_dir: string;
  log_file: string | null;
  database_url: string;
  database_bytes: number | null;
  wal_bytes: number | null;
  schema_version: number | null;
}

/** Throws `USAGE` for a setting that makes no sense. */
export async function statusOf(
  { dataDir, databaseUrl }: Flags,
  env: NodeJS.ProcessEnv,
): Promise<DaemonStatus> {
  const { WIREROOM_DATA_DIR, WIREROOM_DATABASE_URL } = env;
  const settings = await settingsOf({ dataDir, databaseUrl }, { WIREROOM_DATA_DIR, WIREROOM_DATABASE_URL });
  const [{ findDaemon, isReady }, { sizesOf }, { withoutCredentials }] = await Promise.all([
    import("../../../daemon/local/find.js"),
    import("../../../daemon/maintenance/sizes.js"),
    import("../../../daemon/settings.js"),
  ]);
  const found = await findDaemon(settings.dataDir);
  const state = found.is === "running" ? found.state : undefined;
  const url = state?.database_url ?? withoutCredentials(settings.databaseUrl);
  return {
    running: state !== undefined,
    starting: found.is === "starting",
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
    ...(await sizesOf(url)),
  };
}

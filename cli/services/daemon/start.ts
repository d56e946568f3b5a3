/** Starts the daemon in the background unless it runs. `wireroom up` and `wireroom init` use this module. */
import type { DaemonState } from "../../../daemon/local/folder.js";
import type { Flags, Settings } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import type { Session } from "../../session.js";
import { type DaemonSettings, databaseFlags, dataDirFlag, readDaemonSettings } from "./settings.js";

export interface Started {
  state: DaemonState;
  /** True if the daemon was already running, or if a concurrent command started it. */
  ranAlready: boolean;
}

/** Throws `ALREADY_RUNNING` if the daemon runs with settings other than those of the flags and variables. */
export async function ensureStarted(
  session: Session,
  flags: Flags,
): Promise<Started & { settings: Settings }> {
  const daemon = await readDaemonSettings(session, flags);
  const { settings } = daemon;
  const { waitUntilStarted } = await import("../../../daemon/local/find.js");
  const found = await waitUntilStarted(settings.dataDir);
  if (found.status === "starting") {
    throw new Failure(
      "ALREADY_RUNNING",
      `a daemon on ${settings.dataDir} has been starting for a minute and is not ready`,
      [`Read its log: wireroom logs${dataDirFlag(flags)}`],
    );
  }
  const started =
    found.status === "running"
      ? { state: found.state, ranAlready: true }
      : await launch(session, flags, daemon);
  if (started.ranAlready) await assertSameSettings(session, flags, daemon, started.state);
  return { ...started, settings };
}

async function assertSameSettings(
  session: Session,
  flags: Flags,
  { settings, replaced }: DaemonSettings,
  state: DaemonState,
): Promise<void> {
  const { differingSettings, differencesText } = await import("../../../daemon/local/running-settings.js");
  const differences = differingSettings(flags, session.env, settings, state.settings);
  if (differences.length === 0) return;
  throw new Failure(
    "ALREADY_RUNNING",
    `the daemon (pid ${state.pid}) is already running with other settings: ${differencesText(differences)}`,
    [
      `Stop it: wireroom down${dataDirFlag(flags)}`,
      replaced === ""
        ? "Then run this command again."
        : `Then run this command again. To keep the other settings, add: ${replaced}`,
    ],
  );
}

async function launch(session: Session, flags: Flags, daemon: DaemonSettings): Promise<Started> {
  const [{ launchDaemon, LaunchFailed }, { writeLastSettings }, { defaultLogFile }, { waitUntilStarted }] =
    await Promise.all([
      import("../../../daemon/local/launch.js"),
      import("../../../daemon/local/last-settings.js"),
      import("../../../daemon/local/folder.js"),
      import("../../../daemon/local/find.js"),
    ]);
  const { settings, env, note } = daemon;
  const { dataDir } = settings;
  assertComplete(daemon);
  if (note !== undefined) session.output.note(note);
  const logFile = settings.logFile ?? defaultLogFile(dataDir);
  try {
    const state = await withProgress(session, (progress) => {
      progress.show("starting the daemon …");
      return launchDaemon({ flags: { ...flags, dataDir }, env, dataDir, logFile });
    });
    await writeLastSettings(settings, flags, env).catch((error: Error) =>
      session.output.warn(`warning: the settings are not kept for the next start: ${error.message}`),
    );
    return { state, ranAlready: false };
  } catch (error) {
    if (error instanceof LaunchFailed) {
      const other = await waitUntilStarted(dataDir);
      if (other.status === "running") return { state: other.state, ranAlready: true };
      throw new Failure("FAILED", `the daemon did not start: ${error.message}`, [
        ...(error.message.includes("is in use")
          ? [`Choose another port: wireroom up --port 8080${dataDirFlag(flags)}`]
          : []),
        `Its log: ${logFile}`,
        `Find the problem: wireroom doctor${databaseFlags(flags)}`,
      ]);
    }
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_ACCESS_DENIED") throw error;
    throw new Failure("FAILED", `the daemon did not start: ${message}`, [
      ...(code === "EACCES" || code === "EROFS"
        ? ["Set HOME, or WIREROOM_DATA_DIR and WIREROOM_CONFIG_DIR, to folders that you can write."]
        : []),
      `Find the problem: wireroom doctor${databaseFlags(flags)}`,
    ]);
  }
}

/** Throws `USAGE` if the last `wireroom up` had a password in a setting, because passwords are not saved. */
function assertComplete({ missing }: DaemonSettings): void {
  if (missing.length === 0) return;
  throw new Failure(
    "USAGE",
    `the last wireroom up had a password in ${missing.join(" and ")}, which is not stored`,
    ["Set the variable again.", "Or pass all settings as flags, which replace those of the last time."],
  );
}

import type { DaemonState } from "../../../daemon/local/folder.js";
import type { Flags, Settings } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { type DaemonSettings, dataDirFlag, readDaemonSettings } from "../../services/daemon/settings.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";
import { HEADINGS } from "../headings.js";
import { addSettingOptions } from "./settings-options.js";

export const add = command<Flags>({
  name: "up",
  heading: HEADINGS.daemon,
  description: "start the daemon in the background and wait until it is ready",
  options: (command) => addSettingOptions(command, { logFile: "{data-dir}/daemon.log" }),
  help: `\
The daemon keeps running after the terminal is closed. To stop it, run wireroom down. If the daemon is already running,
nothing changes.

Without flags, the daemon starts with the settings of the last wireroom up on its data folder, except those with a password;
a variable overrides its own setting. Any flag but --data-dir replaces all of them.

This command also stores the daemon's URL and data folder in your profile (the saved settings of the command line), unless
the profile holds credentials for another daemon.`,
  examples: ["wireroom up", "wireroom up --port 8080 --data-dir ./data"],
  run: async (session, flags) => {
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
    const { state, ranAlready } =
      found.status === "running"
        ? { state: found.state, ranAlready: true }
        : await launch(session, flags, daemon);
    if (ranAlready) await assertSameSettings(session, flags, settings, state);
    await printStarted(session, flags, settings, state, ranAlready);
  },
});

/** Throws `ALREADY_RUNNING` if a flag or variable differs from the running daemon's settings. */
async function assertSameSettings(
  session: Session,
  flags: Flags,
  requested: Settings,
  state: DaemonState,
): Promise<void> {
  const { differingSettings } = await import("../../../daemon/local/running-settings.js");
  const differences = differingSettings(flags, session.env, requested, state.settings);
  if (differences.length === 0) return;
  const list = differences.map(({ name, running, requested }) => `${name} is ${running}, not ${requested}`);
  throw new Failure(
    "ALREADY_RUNNING",
    `the daemon (pid ${state.pid}) is already running with other settings: ${list.join("; ")}`,
    [`Stop it: wireroom down${dataDirFlag(flags)}`, "Then run this command again."],
  );
}

interface Launched {
  state: DaemonState;
  /** True if the daemon was already running, or if a concurrent `wireroom up` started it. */
  ranAlready: boolean;
}

async function launch(session: Session, flags: Flags, daemon: DaemonSettings): Promise<Launched> {
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
        `Its log: ${logFile}`,
        `Find the problem: wireroom doctor${dataDirFlag(flags)}`,
      ]);
    }
    throw new Failure("FAILED", `the daemon did not start: ${(error as Error).message}`, [
      `Find the problem: wireroom doctor${dataDirFlag(flags)}`,
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

async function printStarted(
  session: Session,
  flags: Flags,
  { dataDir }: Settings,
  state: DaemonState,
  ranAlready: boolean,
): Promise<void> {
  const { output } = session;
  const { pid, version, listen, base_url, mcp_url, log_file, started_at } = state;
  const { pointProfileAt, stepsAfterStart } = await import("../../services/daemon/profile-url.js");
  const hints = await pointProfileAt(session, base_url, dataDir);
  const body = { running: true, started: !ranAlready, pid, version, listen, base_url, mcp_url };
  output.result({ ...body, started_at, data_dir: dataDir, log_file }, () => {
    if (ranAlready) output.note("The daemon is already running.");
    output.fields([
      ["url", base_url],
      ["mcp", mcp_url],
      ["pid", String(pid)],
      ["data", dataDir],
      ["log", log_file ?? "standard error of the daemon"],
    ]);
  });
  for (const hint of hints) output.note(hint);
  if (hints.length === 0) output.nextSteps(...(await stepsAfterStart(session, state.oidc_issuer === null)));
  else output.nextSteps(`wireroom status${dataDirFlag(flags)}`);
}

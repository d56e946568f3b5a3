import { Option } from "commander";
import type { DaemonState } from "../../../daemon/local/folder.js";
import type { Flags, Settings } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { type DaemonSettings, dataDirFlag, readDaemonSettings } from "../../services/daemon/settings.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";
import { HEADINGS } from "../headings.js";
import { addSettingOptions } from "./settings-options.js";

interface UpFlags extends Flags {
  lan?: true;
}

export const add = command<UpFlags>({
  name: "up",
  heading: HEADINGS.daemon,
  description: "start the daemon in the background and wait until it is ready",
  options: (command) =>
    addSettingOptions(command, { logFile: "{data-dir}/daemon.log" }).addOption(
      new Option(
        "--lan",
        "let other machines of the network connect: short for --host 0.0.0.0 --local-sign-in; only this machine can use the local sign-in",
      ).conflicts("host"),
    ),
  help: `\
The daemon keeps running after the terminal is closed. To stop it, run wireroom down. If the daemon is already running,
nothing changes.

Without flags, the daemon starts with the settings of the last wireroom up on its data folder, except those with a password;
a variable overrides its own setting. Any flag but --data-dir replaces all of them.

This command also stores the daemon's URL and data folder in your profile (the saved settings of the command line), unless
the profile holds credentials for another daemon.`,
  examples: ["wireroom up", "wireroom up --lan", "wireroom up --port 8080 --data-dir ./data"],
  run: async (session, { lan, ...given }) => {
    const flags = lan ? { ...given, host: "0.0.0.0", localSignIn: given.localSignIn ?? "on" } : given;
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
  settings: Settings,
  state: DaemonState,
  ranAlready: boolean,
): Promise<void> {
  const { output } = session;
  const { dataDir } = settings;
  const { pid, version, listen, base_url, mcp_url, log_file, started_at } = state;
  const { pointProfileAt, stepsAfterStart } = await import("../../services/daemon/profile-url.js");
  const hints = await pointProfileAt(session, base_url, dataDir);
  const { lanUrl } = await import("../../services/daemon/lan.js");
  const lan_url = await lanUrl(settings, state);
  const body = { running: true, started: !ranAlready, pid, version, listen, base_url, mcp_url, lan_url };
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
  if (lan_url !== undefined) printJoin(session, lan_url);
  if (hints.length === 0) output.nextSteps(...(await stepsAfterStart(session, state.oidc_issuer === null)));
  else output.nextSteps(`wireroom status${dataDirFlag(flags)}`);
}

function printJoin({ output }: Session, url: string): void {
  output.note("");
  output.note("To join from another machine, issue a key here:");
  output.note("  wireroom key issue @HANDLE");
  output.note("There, set its variables for the agent, the command or the MCP host:");
  output.note(`  export WIREROOM_URL=${url} WIREROOM_API_KEY=wr_…`);
  output.warn(
    "warning: nothing encrypts the connections of other machines, so others on this network can read keys and wires; use --lan only on a network that you trust, or a proxy with HTTPS and --public-url",
  );
}

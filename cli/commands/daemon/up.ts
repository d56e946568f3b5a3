import type { Command } from "commander";
import type { DaemonState } from "../../../daemon/local/folder.js";
import type { Flags, Settings } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import type { Session } from "../../session.js";
import { again, settingsOf } from "../../work/daemon/settings.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addSettings } from "./settings-flags.js";

/** `wireroom up`: the daemon in the background. */
export function addUpCommand(program: Command): void {
  const command = program
    .command("up")
    .helpGroup(HEADINGS.daemon)
    .description("start the daemon in the background, and wait until it serves");
  addSettings(command, { logFile: "{data-dir}/daemon.log" })
    .addHelpText(
      "after",
      `
The daemon goes on when the terminal is closed; wireroom down ends it. One that runs already is left alone.
The profile takes over its url, unless it has a sign-in or keys of another daemon.

Examples:
  $ wireroom up
  $ wireroom up --port 8080 --data-dir ./data`,
    )
    .action(
      action<Flags>(async (session, flags) => {
        const settings = await settingsOf(flags, session.env);
        const { settled } = await import("../../../daemon/local/find.js");
        const found = await settled(settings.dataDir);
        if (found.is === "starting") {
          throw new Failure(
            "ALREADY_RUNNING",
            `a daemon has been starting on ${settings.dataDir} for a minute`,
            [`Look at what it does: wireroom logs${again(flags)}`],
          );
        }
        const { state, ranAlready } =
          found.is === "running"
            ? { state: found.state, ranAlready: true }
            : await launch(session, flags, settings);
        await tell(session, flags, settings, state, ranAlready);
      }),
    );
}

interface Launched {
  state: DaemonState;
  /** Another one that was started at the same time took the folder first. */
  ranAlready: boolean;
}

async function launch(session: Session, flags: Flags, settings: Settings): Promise<Launched> {
  const [{ launchDaemon, LaunchFailed }, { defaultLogFile }, { settled }] = await Promise.all([
    import("../../../daemon/local/launch.js"),
    import("../../../daemon/local/folder.js"),
    import("../../../daemon/local/find.js"),
  ]);
  const { dataDir } = settings;
  const logFile = settings.logFile ?? defaultLogFile(dataDir);
  try {
    const state = await withProgress(session, (progress) => {
      progress.say("starting the daemon …");
      return launchDaemon({ flags, env: session.env, dataDir, logFile });
    });
    return { state, ranAlready: false };
  } catch (error) {
    if (error instanceof LaunchFailed) {
      const other = await settled(dataDir);
      if (other.is === "running") return { state: other.state, ranAlready: true };
      throw new Failure("FAILED", `the daemon did not start: ${error.message}`, [
        `Its log: ${logFile}`,
        `Look for what is wrong: wireroom doctor${again(flags)}`,
      ]);
    }
    throw new Failure("FAILED", `the daemon did not start: ${(error as Error).message}`);
  }
}

async function tell(
  session: Session,
  flags: Flags,
  { dataDir }: Settings,
  state: DaemonState,
  ranAlready: boolean,
): Promise<void> {
  const { output } = session;
  const { pid, version, listen, base_url, mcp_url, log_file, started_at } = state;
  const { adopt, nextSteps } = await import("../../work/daemon/adopt.js");
  const hints = await adopt(session, base_url);
  const body = { running: true, started: !ranAlready, pid, version, listen, base_url, mcp_url };
  output.result({ ...body, started_at, data_dir: dataDir, log_file }, () => {
    if (ranAlready) output.note("It runs already.");
    output.fields([
      ["serves", base_url],
      ["mcp", mcp_url],
      ["pid", String(pid)],
      ["data", dataDir],
      ["log", log_file ?? "standard error of the process"],
    ]);
  });
  for (const hint of hints) output.note(hint);
  if (hints.length === 0) output.next(...(await nextSteps(session, state.oidc_issuer === null)));
  else output.next(`wireroom status${again(flags)}`);
}

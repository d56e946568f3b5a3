/** Declares `wireroom up`, which starts the daemon and prints its addresses and what to do next. */
import { Option } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { DEFAULT_URL, exportUrl } from "../../profiles/endpoint.js";
import { dataDirFlag } from "../../services/daemon/settings.js";
import { ensureStarted } from "../../services/daemon/start.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";
import { addSettingOptions } from "./settings-options.js";

interface UpFlags extends Flags {
  lan?: true;
}

export const add = command<UpFlags>({
  name: "up",
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

Without flags, the daemon starts with the settings of the last wireroom up on its data folder, from flags and variables
alike, except those with a password; a variable overrides its own setting, then and from then on. Any flag but --data-dir
replaces all of them, and those that are not kept are printed.

This command also stores the daemon's URL and data folder in your profile (the saved settings of the command line), unless
the profile holds credentials for another daemon.`,
  examples: ["wireroom up", "wireroom up --lan", "wireroom up --port 8080 --data-dir ./data"],
  run: async (session, { lan, ...given }) => {
    const flags = lan ? { ...given, host: "0.0.0.0", localSignIn: given.localSignIn ?? "on" } : given;
    await printStarted(session, flags, await ensureStarted(session, flags));
  },
});

async function printStarted(
  session: Session,
  flags: Flags,
  { state, ranAlready, settings }: Awaited<ReturnType<typeof ensureStarted>>,
): Promise<void> {
  const { output } = session;
  const { dataDir } = settings;
  const { pid, version, listen, base_url, mcp_url, log_file, started_at } = state;
  const [{ pointProfileAt, stepsAfterStart }, { consoleUrlOf }] = await Promise.all([
    import("../../services/daemon/profile-url.js"),
    import("../../../daemon/local/running-settings.js"),
  ]);
  const console_url = consoleUrlOf(state);
  const hints = await pointProfileAt(session, base_url, dataDir);
  const { lanUrl } = await import("../../services/daemon/lan.js");
  const lan_url = await lanUrl(settings, state);
  const addresses = { listen, base_url, mcp_url, console_url, lan_url };
  const body = { running: true, started: !ranAlready, pid, version, ...addresses };
  output.result({ ...body, started_at, data_dir: dataDir, log_file }, () => {
    if (ranAlready) output.note("The daemon is already running.");
    output.fields([
      ["url", base_url],
      ["mcp", mcp_url],
      ["console", console_url ?? undefined],
      ["pid", String(pid)],
      ["data", dataDir],
      ["log", log_file ?? "standard error of the daemon"],
    ]);
  });
  for (const hint of hints) output.note(hint);
  if (lan_url !== undefined) printJoin(session, lan_url);
  const steps =
    hints.length === 0
      ? await stepsAfterStart(session, state.oidc_issuer === null)
      : [`wireroom status${dataDirFlag(flags)}`];
  const isStale = session.env.WIREROOM_URL && base_url === DEFAULT_URL && (await session.url()) !== base_url;
  output.nextSteps(...steps, ...(isStale ? ["unset WIREROOM_URL"] : exportUrl(base_url)));
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

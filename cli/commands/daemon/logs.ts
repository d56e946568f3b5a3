/** Declares `wireroom logs`, which prints and follows the log of a daemon on this machine. */
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { integerBetween } from "../../input/values.js";
import { logEntry, prettyLogLine } from "../../output/show/log-line.js";
import { dataDirFlag, lastSettings, readDataDir } from "../../services/daemon/settings.js";
import type { Session } from "../../session.js";
import { command } from "../command.js";
import { addDataDirOption } from "./settings-options.js";

const DEFAULT_LINES = 50;

interface LogFlags extends Pick<Flags, "dataDir"> {
  follow?: boolean;
  lines: number;
}

export const add = command<LogFlags>({
  name: "logs",
  description: "print the daemon's log",
  options: (command) =>
    addDataDirOption(
      command
        .option("-f, --follow", "keep printing new lines until Ctrl-C")
        .option(
          "-n, --lines <count>",
          "number of lines to print",
          integerBetween(0, 1_000_000),
          DEFAULT_LINES,
        ),
    ),
  help: `\
On a terminal, prints readable lines. In a pipe or with the global option --json, prints the daemon's JSON lines, where
level 50 is an error, 40 a warning and 30 information.`,
  examples: ["wireroom logs -f", "wireroom logs -n 1000 --json | jq 'select(.level >= 50)'"],
  run: async (session, flags) => {
    const { output } = session;
    const file = await logFileOf(session, flags);
    const { followLog, lastLines } = await import("../../../daemon/local/read-log.js");
    const lines = flags.follow ? followLog(file, flags.lines) : lastLines(file, flags.lines);
    for await (const line of lines) {
      const show = () => output.line(output.isTerminal ? prettyLogLine(line, output.paint) : line);
      output.item(logEntry(line), show, "any");
    }
  },
});

async function logFileOf(session: Session, flags: LogFlags): Promise<string> {
  const dataDir = await readDataDir(session, flags);
  const [{ findDaemon, isReady }, { defaultLogFile }, { existsSync }] = await Promise.all([
    import("../../../daemon/local/find.js"),
    import("../../../daemon/local/folder.js"),
    import("node:fs"),
  ]);
  const found = await findDaemon(dataDir);
  if (found.status === "running" && found.state.log_file === null)
    throw new Failure(
      "FAILED",
      `the daemon (pid ${found.state.pid}) runs in the foreground and prints its log there`,
      [
        `Restart it in the background: wireroom down${dataDirFlag(flags)} && wireroom up${dataDirFlag(flags)}`,
        "Or run it with --log-file FILE.",
      ],
    );
  const file =
    (found.status === "running" && found.state.log_file) ||
    session.env.WIREROOM_LOG_FILE ||
    (await lastSettings(session, flags)).variables.WIREROOM_LOG_FILE ||
    defaultLogFile(dataDir);
  if (existsSync(file)) return file;
  const url = await session.url();
  if (found.status === "absent" && (await isReady(new URL(url).origin)))
    throw new Failure("FAILED", `a daemon serves ${url}, but its log is not at ${file}`, [
      "If it runs on this machine, name its data folder: wireroom logs --data-dir FOLDER",
      "A daemon in the foreground prints its log there, and a service in the journal.",
    ]);
  throw new Failure("FAILED", `no log file at ${file}: no daemon has run in the background on ${dataDir}`, [
    `Start the daemon: wireroom up${dataDirFlag(flags)}`,
  ]);
}

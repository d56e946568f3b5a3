import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { integer } from "../../input/values.js";
import { jsonLogLine, prettyLogLine } from "../../output/show/log-line.js";
import { again, dataDirOf } from "../../work/daemon/settings.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addDataDir } from "./settings-flags.js";

const USUAL = 50;

interface LogFlags extends Pick<Flags, "dataDir"> {
  follow?: boolean;
  lines: number;
}

/** `wireroom logs`: the log of the daemon in the background. */
export function addLogsCommand(program: Command): void {
  const command = program
    .command("logs")
    .helpGroup(HEADINGS.daemon)
    .description("what the daemon wrote into its log")
    .option("-f, --follow", "go on with what it writes from now on, until Ctrl-C")
    .option("-n, --lines <count>", "how many lines", integer(0, 1_000_000), USUAL);
  addDataDir(command)
    .addHelpText(
      "after",
      `
Readable lines on a terminal, the daemon's own JSON lines in a pipe and with --json.

Examples:
  $ wireroom logs -f
  $ wireroom logs -n 1000 --json | jq 'select(.level >= 50)'`,
    )
    .action(
      action<LogFlags>(async ({ output, env }, flags) => {
        const file = await logFileOf(flags, env);
        const { followLog, lastLines } = await import("../../../daemon/local/follow.js");
        const lines = flags.follow ? followLog(file, flags.lines) : lastLines(file, flags.lines);
        for await (const line of lines) {
          if (output.json) output.line(jsonLogLine(line));
          else output.line(output.isTerminal ? prettyLogLine(line, output.paint) : line);
        }
      }),
    );
}

/** Throws a `Failure` where there is no file to read. */
async function logFileOf(flags: LogFlags, env: NodeJS.ProcessEnv): Promise<string> {
  const dataDir = await dataDirOf(flags, env);
  const [{ findDaemon }, { defaultLogFile }, { existsSync }] = await Promise.all([
    import("../../../daemon/local/find.js"),
    import("../../../daemon/local/folder.js"),
    import("node:fs"),
  ]);
  const found = await findDaemon(dataDir);
  if (found.is === "running" && found.state.log_file === null)
    throw new Failure(
      "FAILED",
      `the daemon (pid ${found.state.pid}) runs in the foreground, and writes its log there`,
      ["In the background it keeps one: end it, then wireroom up", "or run it with --log-file FILE."],
    );
  const file =
    (found.is === "running" && found.state.log_file) || env.WIREROOM_LOG_FILE || defaultLogFile(dataDir);
  if (existsSync(file)) return file;
  throw new Failure("FAILED", `there is no log ${file}: no daemon has run in the background on ${dataDir}`, [
    `wireroom up${again(flags)}`,
  ]);
}

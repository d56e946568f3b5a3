import type { Command } from "commander";
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { again, dataDirOf } from "../../work/daemon/settings.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addDataDir } from "./settings-flags.js";

/** `wireroom down`: ends the daemon of a data folder. */
export function addDownCommand(program: Command): void {
  const command = program
    .command("down")
    .helpGroup(HEADINGS.daemon)
    .description("end the daemon, and wait until it has ended");
  addDataDir(command)
    .addHelpText(
      "after",
      `
Requests under way are finished, for at most 10 s. Nothing is lost. Where no daemon runs there is nothing to do.

Example:
  $ wireroom down`,
    )
    .action(
      action<Flags>(async (session, flags) => {
        const { output } = session;
        const dataDir = await dataDirOf(flags, session.env);
        const { settled, stopDaemon } = await import("../../../daemon/local/find.js");
        const found = await settled(dataDir);
        if (found.is === "absent") {
          output.result({ running: false, stopped: false, pid: null, data_dir: dataDir }, () =>
            output.line(`No daemon runs on ${dataDir}.`),
          );
          return;
        }
        if (found.is === "starting")
          throw new Failure("FAILED", `the daemon on ${dataDir} is still starting: try again`, [
            `wireroom logs${again(flags)}`,
          ]);
        const { pid } = found.state;
        const hasEnded = await withProgress(session, (progress) => {
          progress.say("ending the daemon …");
          return stopDaemon(dataDir, found.state);
        });
        if (!hasEnded)
          throw new Failure("FAILED", `the daemon (pid ${pid}) does not end`, [
            `kill -9 ${pid} ends it at once; what it has answered is on disk.`,
          ]);
        output.result({ running: false, stopped: true, pid, data_dir: dataDir }, () =>
          output.line(`The daemon (pid ${pid}) has ended. Everything is kept in ${dataDir}.`),
        );
      }),
    );
}

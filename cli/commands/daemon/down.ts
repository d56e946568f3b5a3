import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { dataDirFlag, readDataDir } from "../../services/daemon/settings.js";
import { command } from "../command.js";
import { addDataDirOption } from "./settings-options.js";

export const add = command<Flags>({
  name: "down",
  description: "stop the daemon and wait until it has stopped",
  options: addDataDirOption,
  help: "Running requests may finish, for at most 10 seconds. No data is lost. If no daemon runs, the command does nothing.",
  examples: "wireroom down",
  run: async (session, flags) => {
    const { output } = session;
    const dataDir = await readDataDir(session, flags);
    const { waitUntilStarted, stopDaemon } = await import("../../../daemon/local/find.js");
    const found = await waitUntilStarted(dataDir);
    if (found.status === "absent") {
      output.result({ running: false, stopped: false, pid: null, data_dir: dataDir }, () =>
        output.line(`No daemon runs on ${dataDir}.`),
      );
      return;
    }
    if (found.status === "starting")
      throw new Failure("FAILED", `the daemon on ${dataDir} is still starting; try again later`, [
        `Read its log: wireroom logs${dataDirFlag(flags)}`,
      ]);
    const { pid } = found.state;
    const hasStopped = await withProgress(session, (progress) => {
      progress.show("stopping the daemon …");
      return stopDaemon(dataDir, found.state);
    });
    if (!hasStopped)
      throw new Failure("FAILED", `the daemon (pid ${pid}) did not stop`, [
        `Kill it: kill -9 ${pid}`,
        "Every write that it confirmed is on disk.",
      ]);
    output.result({ running: false, stopped: true, pid, data_dir: dataDir }, () =>
      output.line(`The daemon (pid ${pid}) has stopped. Its data stays in ${dataDir}.`),
    );
  },
});

/** The load process: runs one task at a time and returns the results. */
import { type CrowdLoad, runCrowd } from "./crowd.js";
import { type JobLoad, runJobs } from "./jobs.js";
import { type OpenLoad, runOpen } from "./open.js";
import { type PairLoad, runPairs } from "./pairs.js";
import { type RequestLoad, runRequests } from "./requests.js";

type Load = RequestLoad | PairLoad | CrowdLoad | OpenLoad | JobLoad;

function run(load: Load): Promise<unknown> {
  switch (load.task) {
    case "requests":
      return runRequests(load);
    case "pairs":
      return runPairs(load);
    case "crowd":
      return runCrowd(load);
    case "jobs":
      return runJobs(load);
    case "open":
      return runOpen(load);
  }
}

process.on("message", (load: Load) => {
  run(load).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.stack ?? error.message }),
  );
});
process.on("disconnect", () => process.exit());

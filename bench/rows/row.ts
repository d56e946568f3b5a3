import type { Lab } from "../measure/lab.js";
import type { Report } from "../measure/report.js";

/** What `npm run bench -- NAME` runs. */
export interface Row {
  name: string;
  run(lab: Lab): Promise<Report[]>;
  /** Left out of a run of everything, as it takes longer than that may. */
  onlyByName?: true;
}

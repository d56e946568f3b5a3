import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";

/** A benchmark that `npm run bench -- NAME` runs. */
export interface Row {
  name: string;
  run(bench: BenchEnvironment): Promise<Report[]>;
  /** Whether the row runs only if it is named, because it takes too long for a complete run. */
  onlyByName?: true;
}

/** Progress of a database copy on standard error: one changing line on a terminal, elsewhere a line per table. */
import type { CopyProgress } from "../../../daemon/maintenance/copy.js";
import { now } from "../../clock.js";
import type { Output } from "../../output/output.js";
import type { Progress } from "../../output/progress.js";

export class CopyProgressReport {
  private current = "";
  private begun = { at: 0, rows: 0 };

  constructor(
    private readonly progress: Progress,
    private readonly output: Pick<Output, "note">,
  ) {}

  update({ step, table, rows, of }: CopyProgress): void {
    const what = `${step} ${table}`;
    if (what !== this.current) {
      this.current = what;
      this.begun = { at: now(), rows };
    }
    const line = `${what}: ${count(rows)} of ${count(of)} rows${this.rate(rows)}`;
    this.progress.say(line);
    if (rows >= of && !this.progress.isVisible) this.output.note(line);
  }

  private rate(rows: number): string {
    const seconds = (now() - this.begun.at) / 1_000;
    const done = rows - this.begun.rows;
    return seconds > 0 && done > 0 ? `, ${count(Math.round(done / seconds))}/s` : "";
  }
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** Prints a database copy's progress to standard error. Without a terminal, prints one line per table. */
import type { CopyProgress } from "../../../src/store/copy/index.js";
import { monotonicMs } from "../../clock.js";
import type { Output } from "../../output/output.js";
import type { Progress } from "../../output/progress.js";

export class CopyProgressReport {
  private current = "";
  private start = { atMs: 0, rows: 0 };

  constructor(
    private readonly progress: Progress,
    private readonly output: Pick<Output, "note">,
  ) {}

  update({ step, table, rows, of }: CopyProgress): void {
    const what = `${step} ${table}`;
    if (what !== this.current) {
      this.current = what;
      this.start = { atMs: monotonicMs(), rows };
    }
    const done = `${what}: ${count(rows)} of ${count(of)}`;
    const line = step === "indexing" ? `${done} indexes and foreign keys` : `${done} rows${this.rate(rows)}`;
    this.progress.show(line);
    if (rows >= of && !this.progress.isVisible) this.output.note(line);
  }

  private rate(rows: number): string {
    const seconds = (monotonicMs() - this.start.atMs) / 1_000;
    const done = rows - this.start.rows;
    return seconds > 0 && done > 0 ? `, ${count(Math.round(done / seconds))}/s` : "";
  }
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}

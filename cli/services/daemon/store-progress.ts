/** Reports the progress of a check or a copy on standard error. Without a terminal, prints single lines. */
import type { CheckProgress } from "../../../src/store/check.js";
import type { CopyProgress } from "../../../src/store/copy/index.js";
import { monotonicMs } from "../../clock.js";
import type { Progress } from "../../output/progress.js";
import type { Session } from "../../session.js";

const LINE_INTERVAL_MS = 10_000;

/** Without a terminal, prints one line every ten seconds. */
export function checkReport(progress: Progress, { io, output }: Session): (step: CheckProgress) => void {
  let lineAtMs = monotonicMs() + LINE_INTERVAL_MS;
  return ({ name, fraction }) => {
    const text = `checking ${name}${fraction === null ? "" : `: ${Math.floor(fraction * 100)} %`} …`;
    progress.show(text);
    if (progress.isVisible || monotonicMs() < lineAtMs) return;
    lineAtMs = monotonicMs() + LINE_INTERVAL_MS;
    if (output.json) io.stderr.write(`${JSON.stringify({ checking: name, fraction })}\n`);
    else output.note(text);
  };
}

/** Without a terminal, prints one line per table. */
export function copyReport(progress: Progress, { output }: Session): (step: CopyProgress) => void {
  let start = { what: "", atMs: 0, rows: 0 };
  return ({ step, table, rows, of }) => {
    const what = `${step} ${table}`;
    if (what !== start.what) start = { what, atMs: monotonicMs(), rows };
    const seconds = (monotonicMs() - start.atMs) / 1_000;
    const perSecond = Math.round((rows - start.rows) / seconds);
    const rate = seconds > 0 && perSecond > 0 ? `, ${count(perSecond)}/s` : "";
    const done = `${what}: ${count(rows)} of ${count(of)}`;
    const line = step === "indexing" ? `${done} indexes and foreign keys` : `${done} rows${rate}`;
    progress.show(line);
    if (rows >= of && !progress.isVisible) output.note(line);
  };
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}

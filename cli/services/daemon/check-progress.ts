/** Prints a check's progress to standard error. Without a terminal, prints one line every ten seconds. */
import type { CheckProgress } from "../../../src/store/check.js";
import { monotonicMs } from "../../clock.js";
import type { Progress } from "../../output/progress.js";
import type { Session } from "../../session.js";

const LINE_INTERVAL_MS = 10_000;

export class CheckProgressReport {
  private lineAtMs = monotonicMs() + LINE_INTERVAL_MS;

  constructor(
    private readonly progress: Progress,
    private readonly session: Pick<Session, "io" | "output">,
  ) {}

  update({ name, fraction }: CheckProgress): void {
    const text = `checking ${name}${fraction === null ? "" : `: ${Math.floor(fraction * 100)} %`} …`;
    this.progress.show(text);
    if (this.progress.isVisible || monotonicMs() < this.lineAtMs) return;
    this.lineAtMs = monotonicMs() + LINE_INTERVAL_MS;
    const { io, output } = this.session;
    if (output.json) io.stderr.write(`${JSON.stringify({ checking: name, fraction })}\n`);
    else output.note(text);
  }
}

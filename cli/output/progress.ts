/** A progress line on standard error. Appears only on a terminal, and is cleared at the end. */
import type { Session } from "../session.js";

const CLEAR = "\r\u001b[2K";

export class Progress {
  private shown = "";

  constructor(private readonly session: Pick<Session, "io" | "output">) {}

  show(text: string): void {
    if (!this.isVisible || text === this.shown) return;
    this.shown = text;
    this.session.io.stderr.write(`${CLEAR}${this.session.output.paintNote("dim", text)}`);
  }

  showPercent(label: string, fraction: number): void {
    this.show(`${label} ${Math.floor(fraction * 100)} %`);
  }

  clear(): void {
    if (this.shown !== "") this.session.io.stderr.write(CLEAR);
    this.shown = "";
  }

  /** False in a pipe and with `--json`. */
  get isVisible(): boolean {
    return this.session.io.stderr.isTTY === true && !this.session.output.json;
  }
}

export async function withProgress<Result>(
  session: Pick<Session, "io" | "output">,
  task: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(session);
  try {
    return await task(progress);
  } finally {
    progress.clear();
  }
}

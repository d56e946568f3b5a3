/** Progress of long work: one changing line on standard error, on a terminal only, cleared at the end. */
import type { Session } from "../session.js";

const CLEAR = "\r\u001b[2K";

export class Progress {
  private shown = "";

  constructor(private readonly session: Pick<Session, "surroundings" | "output">) {}

  /** Shows the text in the place of the one before. */
  say(text: string): void {
    if (!this.isVisible || text === this.shown) return;
    this.shown = text;
    this.session.surroundings.stderr.write(`${CLEAR}${this.session.output.paintNote("dim", text)}`);
  }

  /** A share of something, from 0 to 1. */
  share(what: string, done: number): void {
    this.say(`${what} ${Math.floor(done * 100)} %`);
  }

  end(): void {
    if (this.shown !== "") this.session.surroundings.stderr.write(CLEAR);
    this.shown = "";
  }

  /** Whether anybody sees it. */
  get isVisible(): boolean {
    return this.session.surroundings.stderr.isTTY === true && !this.session.output.json;
  }
}

/** Shows progress while `work` runs, however it ends. */
export async function withProgress<Result>(
  session: Pick<Session, "surroundings" | "output">,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(session);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

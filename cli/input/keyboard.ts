/** The person at the terminal, a line at a time: editing, pasting and wide characters are Node's own line editor. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { Failure, Interrupted } from "../failure.js";

interface Waiting {
  answer(line: string): void;
  end(reason: Error): void;
}

/**
 * Reads lines from the first question until `close`, so that the terminal never echoes what is typed early, such as a
 * password. Prompts go to standard error.
 */
export class Keyboard {
  readonly #echo: Echo;
  readonly #lines: Interface;
  #waiting: Waiting | undefined;
  #closed = false;

  constructor(
    input: NodeJS.ReadStream,
    private readonly stderr: NodeJS.WriteStream,
  ) {
    this.#echo = new Echo(stderr);
    // Without a history: the Up key must not bring a password back.
    this.#lines = createInterface({ input, output: this.#echo, terminal: true, historySize: 0 });
    this.#lines.on("line", (line) => this.#waiting?.answer(line));
    this.#lines.on("SIGINT", () => this.#interrupt());
    this.#lines.on("close", () => {
      this.#closed = true;
      this.#waiting?.end(ended());
    });
  }

  /**
   * Asks. Rejects with `Interrupted` for Ctrl-C, and with a `Failure` at the end of input (Ctrl-D).
   * @param prompt what stands before the answer; the answer is given on the same line
   * @param hidden whether what is typed is not shown
   */
  async ask(prompt: string, { hidden = false } = {}): Promise<string> {
    if (this.#closed) throw ended();
    try {
      return await new Promise<string>((answer, end) => {
        this.#waiting = { answer, end };
        if (hidden) {
          this.stderr.write(prompt);
          this.#lines.setPrompt("");
        } else {
          this.#echo.shown = true;
          this.#lines.setPrompt(prompt);
        }
        this.#lines.prompt();
      });
    } finally {
      this.#waiting = undefined;
      // The line editor has moved on to the next line itself where the answer was shown.
      if (hidden) this.stderr.write("\n");
      this.#echo.shown = false;
    }
  }

  /** Releases the terminal. */
  close(): void {
    this.#lines.close();
    this.#echo.release();
  }

  #interrupt(): void {
    if (!this.#waiting) return void process.kill(process.pid, "SIGINT");
    this.#waiting.end(new Interrupted());
    if (this.#echo.shown) this.stderr.write("\n");
  }
}

function ended(): Failure {
  return new Failure("DECLINED", "there was no answer: the input has ended");
}

/** The output stream of the line editor: passes what is typed on to the terminal, or hides it. */
class Echo extends Writable {
  /** Whether what is typed is shown now. */
  shown = false;
  readonly #resized = () => void this.emit("resize");

  constructor(private readonly terminal: NodeJS.WriteStream) {
    super();
    terminal.on("resize", this.#resized);
  }

  /** The line editor asks for it, to break long lines. */
  get columns(): number {
    return this.terminal.columns;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.shown) this.terminal.write(chunk);
    done();
  }

  release(): void {
    this.terminal.off("resize", this.#resized);
  }
}

/** Reads lines from the terminal with Node's line editor: it handles editing, pasting and wide characters. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { Failure, Interrupted } from "../failure.js";
import { safe } from "../output/safe.js";

interface PendingRead {
  hidden: boolean;
  resolve(line: string): void;
  reject(reason: Error): void;
}

/** Reads lines. The echo is off between prompts too, so that a password that is typed early stays hidden. */
export class TerminalReader {
  readonly #echo: Echo;
  readonly #lines: Interface;
  #pending: PendingRead | undefined;
  /** Lines that were entered before their question, such as those of a pasted text. */
  readonly #early: string[] = [];
  #closed = false;

  constructor(
    input: NodeJS.ReadStream,
    private readonly stderr: NodeJS.WriteStream,
  ) {
    this.#echo = new Echo(stderr);
    // The history is off, because the Up key would show a password again.
    this.#lines = createInterface({ input, output: this.#echo, terminal: true, historySize: 0 });
    this.#lines.on("line", (line) => {
      const pending = this.#endRead();
      if (pending) pending.resolve(line);
      else this.#early.push(line);
    });
    this.#lines.on("SIGINT", () => this.#interrupt());
    this.#lines.on("close", () => {
      this.#closed = true;
      this.#endRead()?.reject(inputEnded());
    });
  }

  /**
   * Prints the prompt and reads a line. Rejects with `Interrupted` for Ctrl-C, and a `Failure` for Ctrl-D.
   * @param hidden true to hide the typed characters
   */
  async readLine(prompt: string, { hidden = false } = {}): Promise<string> {
    const early = this.#early.shift();
    if (early !== undefined) {
      this.stderr.write(`${prompt}${hidden ? "" : safe(early)}\n`);
      return early;
    }
    if (this.#closed) throw inputEnded();
    return new Promise<string>((resolve, reject) => {
      this.#pending = { hidden, resolve, reject };
      if (hidden) {
        this.stderr.write(prompt);
        this.#lines.setPrompt("");
      } else {
        this.#echo.shown = true;
        this.#lines.setPrompt(prompt);
      }
      this.#lines.prompt();
    });
  }

  /**
   * Ends the pending read and turns the echo off. Synchronous, because the line editor handles the rest of a
   * pasted text, which may be a password, in the same turn.
   */
  #endRead(): PendingRead | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#echo.shown = false;
    // The line editor writes the line break itself if the input was shown.
    if (pending?.hidden) this.stderr.write("\n");
    return pending;
  }

  close(): void {
    this.#lines.close();
    this.#echo.release();
  }

  #interrupt(): void {
    const pending = this.#endRead();
    if (!pending) return void process.kill(process.pid, "SIGINT");
    if (!pending.hidden) this.stderr.write("\n");
    pending.reject(new Interrupted());
  }
}

function inputEnded(): Failure {
  return new Failure("DECLINED", "no answer: the input has ended");
}

/** Output of the line editor. Drops the echoed characters while a secret is typed. */
class Echo extends Writable {
  shown = false;
  readonly #resized = () => void this.emit("resize");

  constructor(private readonly terminal: NodeJS.WriteStream) {
    super();
    terminal.on("resize", this.#resized);
  }

  /** Terminal width. The line editor needs it to wrap long lines. */
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

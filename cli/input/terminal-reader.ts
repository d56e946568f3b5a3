/** Reads lines from the terminal with Node's line editor. It handles editing, pasting and wide characters. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { Failure, Interrupted } from "../failure.js";
import { safe } from "../output/safe.js";

interface PendingRead {
  hidden: boolean;
  resolve(line: string): void;
  reject(reason: Error): void;
}

/** Turns the echo off between prompts, so that a password typed too early stays hidden. */
export class TerminalReader {
  readonly #echo: Echo;
  readonly #lines: Interface;
  #pending: PendingRead | undefined;
  /** Lines entered before their prompt appeared, for example by pasting several lines. */
  readonly #early: string[] = [];
  #closed = false;

  constructor(
    input: NodeJS.ReadStream,
    private readonly stderr: NodeJS.WriteStream,
  ) {
    this.#echo = new Echo(stderr);
    // Disable the history, because the Up key would show a password again.
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
   * Prints the prompt and reads a line. Rejects with `Interrupted` on Ctrl-C, and with a `Failure` on Ctrl-D.
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
   * Ends the pending read and turns the echo off. Must be synchronous, because the line editor processes the
   * rest of a pasted text, which may be a password, in the same tick.
   */
  #endRead(): PendingRead | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#echo.shown = false;
    // If the input was hidden, write the line break here, because the line editor could not show it.
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

/** Drops the echo while a secret is typed. */
class Echo extends Writable {
  shown = false;
  readonly #resized = () => void this.emit("resize");

  constructor(private readonly terminal: NodeJS.WriteStream) {
    super();
    terminal.on("resize", this.#resized);
  }

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

/**
 * Controls the terminal while a view is open: alternate screen, raw mode, window size, and suspending with
 * Ctrl-Z.
 */

import { KeyStream } from "./key-stream.js";
import { CLEAR, ScreenOutput } from "./screen-output.js";
import type { Size } from "./size.js";

/**
 * Enters the alternate screen, hides the cursor, disables line wrap, enables bracketed paste, and clears the
 * screen.
 */
const ENTER = `\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h${CLEAR}`;
/**
 * Undoes `ENTER`. The screen is cleared first: if the window of tmux has grown, tmux 3.3 moves the rows above
 * the cursor into the history of the shell.
 */
const LEAVE = `\x1b[?2004l\x1b[0m\x1b[?7h${CLEAR}\x1b[?25h\x1b[?1049l`;

/** If the process still runs after this time, nothing has suspended it. */
const NOT_SUSPENDED_MS = 50;

export interface TerminalStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

export class Terminal {
  readonly input: KeyStream;
  readonly output: ScreenOutput;
  readonly #listeners = new Set<() => void>();
  #size: Size;
  #isOpen = false;
  #notSuspended: NodeJS.Timeout | undefined;

  constructor(
    private readonly streams: TerminalStreams,
    colour: boolean,
  ) {
    this.input = new KeyStream(streams.stdin, this.#suspend);
    this.output = new ScreenOutput(streams.stdout, colour);
    this.#size = this.#measured();
  }

  /** Enters the alternate screen until `close` or the end of the process. */
  open(): void {
    this.#isOpen = true;
    // This event also occurs when a signal or an uncaught error ends the process.
    process.on("exit", this.close);
    process.on("SIGCONT", this.#resume);
    this.streams.stdout.on("resize", this.#resized);
    this.streams.stdout.write(ENTER);
    // Ink enables raw mode only after the first frame. Until then the terminal would print typed keys.
    this.streams.stdin.setRawMode(true);
  }

  /** Restores the terminal. A second call does nothing. */
  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#notSuspended);
    process.off("exit", this.close);
    process.off("SIGCONT", this.#resume);
    this.streams.stdout.off("resize", this.#resized);
    this.output.close();
    this.input.setRawMode(false);
    this.streams.stdout.write(LEAVE);
  };

  /**
   * Returns the size of the window. The object is new after each resize and each resume, so that the view is
   * drawn again.
   */
  readonly getSize = (): Size => this.#size;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #measured(): Size {
    const { columns = 80, rows = 24 } = this.streams.stdout;
    return { columns, rows };
  }

  readonly #resized = (): void => {
    this.output.invalidate();
    this.#size = this.#measured();
    for (const listener of this.#listeners) listener();
  };

  /** Suspends the processes of the command, as the terminal does for Ctrl-Z outside raw mode. */
  readonly #suspend = (): void => {
    if (process.platform === "win32") return;
    this.streams.stdin.setRawMode(false);
    this.streams.stdout.write(LEAVE);
    // SIGTSTP, unlike SIGSTOP, suspends nothing if there is no shell that could continue it, such as under
    // `ssh -t`.
    process.kill(0, "SIGTSTP");
    this.#notSuspended = setTimeout(this.#resume, NOT_SUSPENDED_MS);
  };

  /** Restores the view after a suspension. The size of the window may have changed meanwhile. */
  readonly #resume = (): void => {
    clearTimeout(this.#notSuspended);
    this.streams.stdin.setRawMode(true);
    this.streams.stdout.write(ENTER);
    // Node measures the window on SIGWINCH only, and a suspended process does not receive that signal.
    process.once("SIGWINCH", this.#resized);
    process.kill(process.pid, "SIGWINCH");
  };
}

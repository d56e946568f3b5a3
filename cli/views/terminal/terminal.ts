/** Controls the terminal for a view: alternate screen, raw mode, window size, and suspending with Ctrl-Z. */
import { type Key, Keyboard } from "./keyboard.js";
import { CLEAR, ScreenOutput } from "./screen-output.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Alternate screen on, cursor hidden, line wrap off, bracketed paste on, screen cleared. */
const ENTER = `\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h${CLEAR}`;
/**
 * Undoes `ENTER`. Clears the screen first, because tmux 3.3 would otherwise move rows into the shell's
 * history if its window has grown.
 */
const LEAVE = `\x1b[?2004l\x1b[0m\x1b[?7h${CLEAR}\x1b[?25h\x1b[?1049l`;

/** If the process still runs after this time, it was not suspended. */
const NOT_SUSPENDED_MS = 50;

export interface TerminalStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

export class Terminal {
  readonly output: ScreenOutput;
  readonly #keyboard: Keyboard;
  readonly #listeners = new Set<() => void>();
  #size: Size;
  #isOpen = false;
  #notSuspended: NodeJS.Timeout | undefined;

  constructor(
    private readonly streams: TerminalStreams,
    colour: boolean,
    receive: (key: Key) => void,
  ) {
    this.#keyboard = new Keyboard(streams.stdin, (key) => {
      if (key.name === "ctrl-z") this.#suspend();
      else receive(key);
    });
    this.output = new ScreenOutput(streams.stdout, colour);
    this.#size = this.#measured();
  }

  open(): void {
    this.#isOpen = true;
    // Node emits this event also when a signal or an uncaught error ends the process.
    process.on("exit", this.close);
    process.on("SIGCONT", this.#resume);
    this.streams.stdout.on("resize", this.#resized);
    this.streams.stdout.write(ENTER);
    this.#keyboard.open();
  }

  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#notSuspended);
    process.off("exit", this.close);
    process.off("SIGCONT", this.#resume);
    this.streams.stdout.off("resize", this.#resized);
    this.output.close();
    this.#keyboard.close();
    this.streams.stdout.write(LEAVE);
  };

  /** Each resize or resume creates a new object, so that the view is drawn again. */
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

  /** Suspends the command's processes, as the terminal does for Ctrl-Z outside raw mode. */
  readonly #suspend = (): void => {
    if (process.platform === "win32") return;
    this.streams.stdin.setRawMode(false);
    this.streams.stdout.write(LEAVE);
    // Use SIGTSTP, because it has no effect if no shell can continue the processes, as under `ssh -t`.
    process.kill(0, "SIGTSTP");
    this.#notSuspended = setTimeout(this.#resume, NOT_SUSPENDED_MS);
  };

  readonly #resume = (): void => {
    clearTimeout(this.#notSuspended);
    this.streams.stdin.setRawMode(true);
    this.streams.stdout.write(ENTER);
    // Node measures the window only on SIGWINCH, which a suspended process does not receive.
    process.once("SIGWINCH", this.#resized);
    process.kill(process.pid, "SIGWINCH");
  };
}

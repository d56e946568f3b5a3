/**
 * Runs a program in a real pseudo-terminal, or the command in the test process. Tests press keys and read the
 * emulated screen.
 */
import * as pty from "@lydell/node-pty";
import headless from "@xterm/headless";
import { COMMAND } from "./daemon.js";
import { startInProcess, type TerminalProcess } from "./in-process.js";

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** Escape sequences of keys. */
export const KEYS = {
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  shiftTab: "\x1b[Z",
  backspace: "\x7f",
  delete: "\x1b[3~",
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageUp: "\x1b[5~",
  pageDown: "\x1b[6~",
  interrupt: "\x03",
  endOfInput: "\x04",
} as const;

/** Timeout in milliseconds for a text to appear. It is long, because the machine may be busy. */
const WAIT_TIMEOUT_MS = 30_000;

export class Terminal {
  readonly #process: TerminalProcess;
  readonly #screen: headless.Terminal;
  readonly #changed = new Set<() => void>();
  /** Resolves with the exit code. */
  readonly exitCode: Promise<number>;
  /** All output so far, including escape sequences. */
  written = "";

  /** @param start `startInProcess` for the command in this process */
  constructor(
    command: string,
    args: readonly string[],
    options: TerminalOptions = {},
    start: typeof startInProcess = pty.spawn,
  ) {
    const { columns = 80, rows = 24, env = {}, cwd } = options;
    this.#screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 });
    this.#process = start(command, [...args], {
      name: "xterm-256color",
      cols: columns,
      rows,
      cwd: cwd ?? process.cwd(),
      env: withoutUndefined({
        ...process.env,
        CI: undefined,
        NO_COLOR: undefined,
        FORCE_COLOR: undefined,
        ...env,
      }),
    });
    this.#process.onData((data) => {
      this.written += data;
      this.#screen.write(data, () => {
        for (const notify of this.#changed) notify();
      });
    });
    // The terminal responds to queries of programs, such as for the cursor position.
    this.#screen.onData((answer) => this.#process.write(answer));
    this.exitCode = new Promise((resolve) => {
      this.#process.onExit(async ({ exitCode, signal }) => {
        await this.#allShown();
        resolve(signal ? 128 + signal : exitCode);
      });
    });
  }

  /**
   * Waits for the last output of the process, which may arrive after its exit event. If this process was
   * paused, an immediate runs only after the next read.
   */
  async #allShown(): Promise<void> {
    for (let length = -1; length !== this.written.length; ) {
      length = this.written.length;
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 50));
    }
    await new Promise<void>((resolve) => this.#screen.write("", resolve));
  }

  /** Runs the built command `wireroom`. */
  static wireroom(args: readonly string[], options?: TerminalOptions): Terminal {
    return new Terminal(process.execPath, [COMMAND, ...args], options);
  }

  /**
   * Runs the command in this process, which is faster. Tests of signals and of the terminal itself need
   * `wireroom`.
   */
  static inProcess(args: readonly string[], options?: TerminalOptions): Terminal {
    return new Terminal("wireroom", args, options, startInProcess);
  }

  /** The visible lines of the screen, without trailing spaces and trailing empty lines. */
  get screen(): string {
    const { active } = this.#screen.buffer;
    return linesOf(active, active.viewportY, this.#screen.rows);
  }

  /** The screen, and all lines that have scrolled off it. */
  get history(): string {
    const { active } = this.#screen.buffer;
    return linesOf(active, 0, active.length);
  }

  /** The terminal emulator, which has the colours of each cell. */
  get emulator(): headless.Terminal {
    return this.#screen;
  }

  /** Presses keys: text, or names of `KEYS`. */
  press(...keys: string[]): void {
    for (const key of keys) this.#process.write(key);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#process.resize(columns, rows);
  }

  /** Resolves with the screen and its history once it shows `wanted`. Rejects after the timeout. */
  waitFor(wanted: string | RegExp, timeoutMs = WAIT_TIMEOUT_MS): Promise<string> {
    const shows =
      typeof wanted === "string"
        ? (text: string) => text.includes(wanted)
        : (text: string) => wanted.test(text);
    return this.waitUntil(shows, String(wanted), timeoutMs);
  }

  /**
   * Resolves once `holds` returns true for the history. Calls `holds` only after whole frames, which may
   * arrive in several chunks. Ink marks the begin and end of a frame with mode 2026.
   */
  waitUntil(holds: (text: string) => boolean, what: string, timeoutMs = WAIT_TIMEOUT_MS): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (this.#screen.modes.synchronizedOutputMode) return;
        const text = this.history;
        if (!holds(text)) return;
        stop();
        resolve(text);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`the terminal did not show ${what}; it shows:\n${this.history}`));
      }, timeoutMs);
      const stop = () => {
        clearTimeout(timer);
        this.#changed.delete(check);
      };
      this.#changed.add(check);
      check();
    });
  }

  /** Sends a signal to the process. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    try {
      this.#process.kill(signal);
    } catch {
      // The process has already exited.
    }
  }
}

type Buffer = headless.Terminal["buffer"]["active"];

function linesOf(buffer: Buffer, from: number, count: number): string {
  const lines: string[] = [];
  for (let i = from; i < from + count; i++) lines.push(buffer.getLine(i)?.translateToString(true) ?? "");
  return lines.join("\n").trimEnd();
}

function withoutUndefined(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

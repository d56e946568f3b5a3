/** A real pseudo-terminal with a program in it: keys go in, and the screen is read as a person sees it. */
import * as pty from "@lydell/node-pty";
import headless from "@xterm/headless";
import { COMMAND } from "./daemon.js";

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** Keys by name, as a terminal sends them. */
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

/** Milliseconds that a screen may take until it shows what is waited for: this machine may be busy. */
const PATIENCE = 30_000;

export class Terminal {
  readonly #process: pty.IPty;
  readonly #screen: headless.Terminal;
  readonly #changed = new Set<() => void>();
  /** Exit code once it has ended. */
  readonly ended: Promise<number>;
  /** Everything that it ever wrote, escape sequences included. */
  written = "";

  constructor(command: string, args: readonly string[], options: TerminalOptions = {}) {
    const { columns = 80, rows = 24, env = {}, cwd } = options;
    this.#screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 });
    this.#process = pty.spawn(command, [...args], {
      name: "xterm-256color",
      cols: columns,
      rows,
      cwd: cwd ?? process.cwd(),
      env: cleaned({ ...process.env, CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env }),
    });
    this.#process.onData((data) => {
      this.written += data;
      this.#screen.write(data, () => {
        for (const notify of this.#changed) notify();
      });
    });
    // The terminal answers what programs ask it, such as where its cursor stands.
    this.#screen.onData((answer) => this.#process.write(answer));
    this.ended = new Promise((resolve) => {
      this.#process.onExit(async ({ exitCode, signal }) => {
        await this.#allShown();
        resolve(signal ? 128 + signal : exitCode);
      });
    });
  }

  /** What a process wrote last can come after the news that it has ended. */
  async #allShown(): Promise<void> {
    for (let length = -1; length !== this.written.length; ) {
      length = this.written.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await new Promise<void>((resolve) => this.#screen.write("", resolve));
  }

  /** The built command `wireroom`. */
  static wireroom(args: readonly string[], options?: TerminalOptions): Terminal {
    return new Terminal(process.execPath, [COMMAND, ...args], options);
  }

  /** What is on the screen now: its lines without spaces at their ends, joined; empty lines at the end left out. */
  get screen(): string {
    const { active } = this.#screen.buffer;
    return linesOf(active, active.viewportY, this.#screen.rows);
  }

  /** The screen and everything that has scrolled out of it. */
  get history(): string {
    const { active } = this.#screen.buffer;
    return linesOf(active, 0, active.length);
  }

  /** The emulated terminal itself: cells with their colours, for pictures. */
  get emulator(): headless.Terminal {
    return this.#screen;
  }

  /** Presses keys: text, or names of `KEYS`. */
  press(...keys: string[]): void {
    for (const key of keys) this.#process.write(key);
  }

  /** Makes the window larger or smaller. */
  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#process.resize(columns, rows);
  }

  /** Resolves with the screen (with its history) once it shows `wanted`. Rejects with what it shows instead. */
  waitFor(wanted: string | RegExp, patience = PATIENCE): Promise<string> {
    const shows =
      typeof wanted === "string"
        ? (text: string) => text.includes(wanted)
        : (text: string) => wanted.test(text);
    return this.waitUntil(shows, String(wanted), patience);
  }

  /** Resolves once `holds` is true of the history. */
  waitUntil(holds: (text: string) => boolean, what: string, patience = PATIENCE): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const text = this.history;
        if (!holds(text)) return;
        stop();
        resolve(text);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`the terminal never showed ${what}; it shows:\n${this.history}`));
      }, patience);
      const stop = () => {
        clearTimeout(timer);
        this.#changed.delete(look);
      };
      this.#changed.add(look);
      look();
    });
  }

  /** Sends a signal. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    try {
      this.#process.kill(signal);
    } catch {
      // It has ended already.
    }
  }
}

type Buffer = headless.Terminal["buffer"]["active"];

function linesOf(buffer: Buffer, from: number, count: number): string {
  const lines: string[] = [];
  for (let i = from; i < from + count; i++) lines.push(buffer.getLine(i)?.translateToString(true) ?? "");
  return lines.join("\n").trimEnd();
}

function cleaned(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

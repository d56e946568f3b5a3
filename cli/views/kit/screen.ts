/**
 * The whole terminal as one surface: the alternate screen, keys one by one, and frames of which only the lines that
 * changed are written. Ink draws below the prompt and would clear the scrollback with every frame of full height, so it
 * lays frames out here, and this paints them. However the process ends, the terminal is left as it was found.
 */
import { wantsColour } from "../../output/colours.js";
import type { Surroundings } from "../../surroundings.js";
import type { Size } from "./controller.js";
import { type Key, KeyReader, PASTE_MARKS } from "./keys.js";

/** Alternate screen, no cursor, no wrapping of lines that a terminal takes for longer than they are. */
const ENTER = `\x1b[?1049h\x1b[?25l\x1b[?7l${PASTE_MARKS.on}\x1b[2J`;
const LEAVE = `${PASTE_MARKS.off}\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l`;
/** Between them a terminal that can shows nothing half drawn. */
const TOGETHER = { begin: "\x1b[?2026h", end: "\x1b[?2026l" };
/** Select Graphic Rendition of colours; bold, faint and inverse are no colours (https://no-color.org). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const COLOURS = /\x1b\[(?:[34]8;[\d;]+|[34][0-79]|9[0-7]|10[0-7])m/g;
/** An escape byte that nothing follows in this time is the Escape key. */
const ESCAPE_TIMEOUT_MS = 40;

export interface ScreenEvents {
  key(key: Key): void;
  resized(size: Size): void;
}

export class Screen {
  readonly #reader = new KeyReader();
  readonly #colour: boolean;
  #lines: string[] = [];
  #escapeTimer: NodeJS.Timeout | undefined;
  #isOpen = false;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly events: ScreenEvents,
    colour: boolean | undefined,
  ) {
    this.#colour = wantsColour({ isTerminal: true, flag: colour, env: surroundings.env });
  }

  get size(): Size {
    const { columns = 80, rows = 24 } = this.surroundings.stdout;
    return { columns, rows };
  }

  open(): void {
    const { stdin, stdout } = this.surroundings;
    this.#isOpen = true;
    // Signals and crashes end the process by way of this event as well.
    process.on("exit", this.close);
    process.on("SIGCONT", this.#resumed);
    stdout.write(ENTER);
    stdout.on("resize", this.#resized);
    stdin.setRawMode(true);
    stdin.setEncoding("utf8");
    stdin.on("data", this.#read);
    stdin.resume();
  }

  /** Gives the terminal back. A second call does nothing. */
  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#escapeTimer);
    const { stdin, stdout } = this.surroundings;
    process.off("exit", this.close);
    process.off("SIGCONT", this.#resumed);
    stdout.off("resize", this.#resized);
    stdin.off("data", this.#read);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(LEAVE);
  };

  /** Shows a frame: lines with their styles, the first at the top. */
  paint(frame: string): void {
    if (!this.#isOpen) return;
    const lines = (this.#colour ? frame : frame.replaceAll(COLOURS, "")).split("\n").slice(0, this.size.rows);
    const changed: string[] = [];
    for (let i = 0; i < Math.max(lines.length, this.#lines.length); i++) {
      if (lines[i] === this.#lines[i]) continue;
      // Erased first: after a full line the cursor still stands on its last column.
      changed.push(`\x1b[${i + 1};1H\x1b[2K${lines[i] ?? ""}\x1b[0m`);
    }
    this.#lines = lines;
    if (changed.length === 0) return;
    this.surroundings.stdout.write(TOGETHER.begin + changed.join("") + TOGETHER.end);
  }

  readonly #resized = (): void => {
    // What a terminal does with what was on it is its own affair: everything is drawn anew.
    this.surroundings.stdout.write("\x1b[2J");
    this.#lines = [];
    this.events.resized(this.size);
  };

  /** Back from the background, where the shell has used the terminal in between. */
  readonly #resumed = (): void => {
    this.surroundings.stdin.setRawMode(true);
    this.surroundings.stdout.write(ENTER);
    this.#resized();
  };

  readonly #read = (chunk: string): void => {
    clearTimeout(this.#escapeTimer);
    this.#give(this.#reader.push(chunk));
    if (!this.#reader.isWaiting) return;
    this.#escapeTimer = setTimeout(() => this.#give(this.#reader.flush()), ESCAPE_TIMEOUT_MS);
  };

  #give(keys: readonly Key[]): void {
    for (const key of keys) {
      if (key.name === "ctrl-z") this.#suspend();
      else this.events.key(key);
    }
  }

  /** Ctrl-Z: what the terminal would do by itself if it did not give every key away. */
  #suspend(): void {
    if (process.platform === "win32") return;
    this.surroundings.stdin.setRawMode(false);
    this.surroundings.stdout.write(LEAVE);
    process.kill(process.pid, "SIGSTOP");
  }
}

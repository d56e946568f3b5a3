/** The output of a command: results go to standard output, messages about them to standard error. */
import { now } from "../clock.js";
import { type Paint, paintFor } from "./colours.js";
import { jsonText, safe } from "./safe.js";
import { type Column, fitted, tabSeparated } from "./table.js";
import { relative } from "./units.js";

export interface OutputSettings {
  /** `--json`: results as the REST body. */
  json: boolean;
  /** False for `--no-color`. */
  colour: boolean | undefined;
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** Width of a terminal that does not report one. */
const USUAL_WIDTH = 80;

/** The part of `Output` that formats things; `show/` holds a file per thing. */
export type Formatter = Pick<Output, "paint" | "time">;

export class Output {
  readonly json: boolean;
  /** Whether a person reads standard output: times are relative, tables have titles and fit. */
  readonly isTerminal: boolean;
  /** Colours standard output. */
  readonly paint: Paint;
  /** Colours standard error. */
  readonly paintNote: Paint;

  /** Set by a command that looks after a closed pipe itself. */
  endsByItself = false;

  constructor(private readonly settings: OutputSettings) {
    const { stdout, stderr, colour: flag, env } = settings;
    this.json = settings.json;
    this.isTerminal = stdout.isTTY === true;
    this.paint = paintFor({ isTerminal: this.isTerminal, flag, env });
    this.paintNote = paintFor({ isTerminal: stderr.isTTY === true, flag, env });
  }

  /** Columns of a line; infinite in a pipe. */
  get width(): number {
    return this.isTerminal ? (this.settings.stdout.columns ?? USUAL_WIDTH) : Number.POSITIVE_INFINITY;
  }

  /**
   * The result of a command: with `--json` the REST body, otherwise what `show` makes of it.
   * @param body the REST response body
   * @param show writes with `line`, `table` and `fields`; nothing for people where it is left out
   */
  result(body: unknown, show?: () => void): void {
    if (this.json) this.raw(`${jsonText(body, this.isTerminal ? 2 : undefined)}\n`);
    else show?.();
  }

  /** One of several results: a JSON line, or what `show` writes. */
  item(body: unknown, show: () => void): void {
    if (this.json) this.raw(`${jsonText(body)}\n`);
    else show();
  }

  /** Writes a line of the result. Untrusted text must pass `safe` or `oneLine` first. */
  line(text = ""): void {
    this.raw(`${text}\n`);
  }

  /** Rows; on a terminal `none` stands where there are no rows. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], none: string): void {
    if (rows.length === 0) {
      if (this.isTerminal) this.line(this.paint("dim", none));
    } else if (this.isTerminal) {
      this.line(fitted(columns, rows, this.width, (title) => this.paint("dim", title)));
    } else {
      this.line(tabSeparated(columns, rows));
    }
  }

  /** Names and values, a line each; what is undefined is left out. */
  fields(pairs: readonly (readonly [name: string, value: string | undefined])[]): void {
    const given = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
    const longest = Math.max(0, ...given.map(([name]) => name.length));
    for (const [name, value] of given) {
      const text = safe(value).replaceAll("\n", `\n${" ".repeat(longest + 2)}`);
      this.line(this.isTerminal ? `${this.paint("dim", name.padEnd(longest))}  ${text}` : `${name}\t${text}`);
    }
  }

  /** A time for the reader: relative on a terminal, unchanged for a script. `null` is shown as `-`. */
  readonly time = (time: string | null): string => {
    if (time === null) return "-";
    return this.isTerminal ? relative(time, now()) : time;
  };

  /** Says something about the result, on standard error. Scripts that asked for JSON are told nothing. */
  note(text: string): void {
    if (!this.json) this.settings.stderr.write(`${text}\n`);
  }

  /** Says on standard error what whoever watches has to know, whatever form the results have. */
  warn(text: string): void {
    this.settings.stderr.write(`${safe(text)}\n`);
  }

  /** Says what the next step is; only to people. */
  next(...commands: string[]): void {
    if (this.json || !this.isTerminal) return;
    this.note("");
    this.note(this.paintNote("dim", commands.length === 1 ? "Next:" : "Next, for example:"));
    for (const command of commands) this.note(`  ${command}`);
  }

  /** What was done: a sentence for a person; in a pipe `value` alone, for `id=$(wireroom send …)`. */
  done(sentence: string, value: string): void {
    this.line(this.isTerminal ? `${this.paint("green", "✓")} ${sentence}` : value);
  }

  /**
   * Writes a text and waits until it has been handed over. Rejects where nobody reads any more; `endsByItself` keeps
   * that from ending the process.
   */
  deliver(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settings.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Writes a text unchanged to standard output. */
  raw(text: string): void {
    this.settings.stdout.write(text);
  }
}

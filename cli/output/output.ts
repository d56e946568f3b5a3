/** The output of a command. Results go to standard output, notes and hints to standard error. */
import { now } from "../clock.js";
import { type Paint, paintFor } from "./colours.js";
import { type ContextFlags, withContext } from "./hint-context.js";
import type { FieldSelection, LineFields } from "./json/fields.js";
import type { JsonFilter } from "./json/filter.js";
import { guarded, jsonText, oneLine, safe } from "./safe.js";
import { type Column, fitTable, tabSeparated } from "./table.js";
import { indented } from "./text.js";
import { relative } from "./units.js";

export interface OutputSettings {
  /** True for `--json`: results are printed as the JSON body of the REST response. */
  json: boolean;
  /** False for `--no-color`. */
  colour: boolean | undefined;
  env: NodeJS.ProcessEnv;
  /** Flags of the command such as `--profile`. The commands in hints repeat these flags. */
  context?: ContextFlags;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** Assumed width of a terminal that does not report its width. */
const DEFAULT_WIDTH = 80;

/** The part of `Output` that formats values. The modules in `show/` use it. */
export type Formatter = Pick<Output, "paint" | "time">;

export class Output {
  readonly json: boolean;
  /**
   * True if standard output is a terminal. Then times are relative, and tables have headings and fit the
   * width.
   */
  readonly isTerminal: boolean;
  /** Colours text for standard output. */
  readonly paint: Paint;
  /** Colours text for standard error. */
  readonly paintNote: Paint;

  /**
   * Set to true by a command that handles errors of standard output itself. Otherwise they end the process.
   */
  handlesOutputErrors = false;
  #selection: FieldSelection | undefined;
  #filter: JsonFilter | undefined;

  constructor(private readonly settings: OutputSettings) {
    const { stdout, stderr, colour: flag, env } = settings;
    this.json = settings.json;
    this.isTerminal = stdout.isTTY === true;
    this.paint = paintFor({ isTerminal: this.isTerminal, flag, env });
    this.paintNote = paintFor({ isTerminal: stderr.isTTY === true, flag, env });
  }

  /** Width of the terminal in columns. In a pipe, the width is infinite. */
  get width(): number {
    return this.isTerminal ? (this.settings.stdout.columns ?? DEFAULT_WIDTH) : Number.POSITIVE_INFINITY;
  }

  /** Sets the fields of `--json=id,uri`. */
  async setFields(names: readonly string[]): Promise<void> {
    const { loadFields } = await import("./json/fields.js");
    this.#selection = await loadFields(names);
  }

  /** Sets the expression of `--jq`. Throws `USAGE` if it is not valid. */
  async setFilter(expression: string): Promise<void> {
    const { loadFilter } = await import("./json/filter.js");
    this.#filter = await loadFilter(expression);
  }

  /**
   * Returns a line of a stream as JSON for standard output.
   * @throws Failure USAGE if no line can have a field of `--json`, or the expression of `--jq` fails
   */
  jsonLine(value: unknown, lines: LineFields): string {
    return this.jsonOf(value, { lines });
  }

  /** Refuses fields of `--json` that no line can have, before the first line. Throws `USAGE`. */
  checkFields(lines: LineFields): void {
    this.#selection?.({}, lines);
  }

  /**
   * Prints the result of a command. With `--json`, prints the REST response body. Otherwise calls `show`.
   * @param body the REST response body
   * @param show prints with `line`, `table` and `fields`; omit it to print nothing without `--json`
   */
  result(body: unknown, show?: () => void): void {
    if (this.json) this.write(this.jsonOf(body, this.isTerminal ? { indent: 2 } : {}));
    else show?.();
  }

  /**
   * Prints one of several results. With `--json`, prints a JSON line. Otherwise calls `show`.
   * @param lines the fields that the results can have, if they are a stream of different lines
   */
  item(body: unknown, show: () => void, lines?: LineFields): void {
    if (this.json) this.write(this.jsonOf(body, { lines }));
    else show();
  }

  /** Prints a line of the result. Pass untrusted text through `safe` or `oneLine` first. */
  line(text = ""): void {
    this.write(`${text}\n`);
  }

  /** Prints rows as a table. On a terminal, prints `emptyText` if there are no rows. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], emptyText: string): void {
    if (rows.length === 0) {
      if (this.isTerminal) this.line(this.paint("dim", emptyText));
    } else if (this.isTerminal) {
      this.line(fitTable(columns, rows, this.width, (title) => this.paint("dim", title)));
    } else {
      this.line(tabSeparated(columns, rows));
    }
  }

  /** Prints pairs of name and value, one pair per line. Omits pairs whose value is undefined. */
  fields(pairs: readonly (readonly [name: string, value: string | undefined])[]): void {
    const defined = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
    const longest = Math.max(0, ...defined.map(([name]) => name.length));
    const indent = " ".repeat(longest + 2);
    for (const [name, value] of defined) {
      const text = safe(value);
      if (!this.isTerminal) {
        this.line(`${name}\t${text.replaceAll("\n", `\n${indent}`)}`);
        continue;
      }
      // A single word, such as a key or a URL, is left whole, so that it can be copied.
      const lines = /\s/.test(text) ? indented(text, indent, this.width) : [indent + text];
      this.line(this.paint("dim", name.padEnd(longest)) + lines.join("\n").slice(longest));
    }
  }

  /**
   * Formats a time. On a terminal, the time is relative to now. In a pipe, it stays unchanged. Returns `-`
   * for null.
   */
  readonly time = (time: string | null): string => {
    if (time === null) return "-";
    return this.isTerminal ? relative(time, now()) : oneLine(time);
  };

  /** Prints a note about the result to standard error. With `--json`, prints nothing. */
  note(text: string): void {
    if (!this.json) this.settings.stderr.write(guarded(`${this.withContext(text)}\n`));
  }

  /** Prints a warning to standard error, also with `--json`. */
  warn(text: string): void {
    this.settings.stderr.write(`${safe(this.withContext(text))}\n`);
  }

  /**
   * Returns JSON for standard output: the chosen fields of the value, or the results of `--jq`. The text ends
   * with a line break, unless it is empty. With `indent`, it is for a human on a terminal; without it, it is
   * one line.
   */
  private jsonOf(
    value: unknown,
    { lines, indent }: { lines?: LineFields | undefined; indent?: number },
  ): string {
    const chosen = this.#selection ? this.#selection(value, lines) : value;
    if (this.#filter) return this.#filter(chosen, indent);
    return `${jsonText(chosen, indent)}\n`;
  }

  /**
   * Adds the given `--profile`, `--url` and `--as` to the commands in a hint, so that they work as printed.
   */
  private withContext(hint: string): string {
    return withContext(hint, this.settings.context ?? {});
  }

  /** Prints suggestions for the next command, but only on a terminal. */
  nextSteps(...commands: string[]): void {
    if (this.json || !this.isTerminal) return;
    this.note("");
    this.note(this.paintNote("dim", commands.length === 1 ? "Next step:" : "Next steps:"));
    for (const command of commands) this.note(`  ${oneLine(command)}`);
  }

  /**
   * Prints a success message. In a pipe, prints only `value`, so that `id=$(wireroom send …)` works in
   * scripts.
   */
  success(sentence: string, value: string): void {
    this.line(
      this.isTerminal ? `${this.paint("green", "✓")} ${sentence.replaceAll("\n", " ⏎ ")}` : oneLine(value),
    );
  }

  /**
   * Writes a text and waits until the stream has accepted it. Rejects if it cannot be written. Set
   * `handlesOutputErrors` to true before the call. Otherwise an error ends the process.
   */
  writeAndWait(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settings.stdout.write(guarded(text), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Writes a text to standard output. Does not wait until it is written. */
  write(text: string): void {
    this.settings.stdout.write(guarded(text));
  }
}

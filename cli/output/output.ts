/** A command's output. Results go to standard output, notes and hints to standard error. */
import { now } from "../clock.js";
import { type Paint, paintFor } from "./colours.js";
import { type ContextFlags, withContext } from "./hint-context.js";
import type { FieldSelection, PossibleFields } from "./json/fields.js";
import type { JsonFilter } from "./json/filter.js";
import { guarded, jsonText, oneLine, safe } from "./safe.js";
import { type Column, fitTable, tabSeparated } from "./table.js";
import { indented } from "./text.js";
import { relative } from "./units.js";

export interface OutputSettings {
  /** True for `--json`: results are printed as the JSON body of the REST response. */
  json: boolean;
  colour: boolean | undefined;
  env: NodeJS.ProcessEnv;
  context?: ContextFlags;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

const DEFAULT_WIDTH = 80;

export type Formatter = Pick<Output, "paint" | "time">;

export class Output {
  readonly json: boolean;
  readonly isTerminal: boolean;
  readonly paint: Paint;
  readonly paintNote: Paint;

  /** True if the command handles write errors of standard output itself. Otherwise, they end the process. */
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

  get width(): number {
    // A terminal that does not know its width reports 0 columns.
    return this.isTerminal ? this.settings.stdout.columns || DEFAULT_WIDTH : Number.POSITIVE_INFINITY;
  }

  async setFields(names: readonly string[]): Promise<void> {
    const { loadFields } = await import("./json/fields.js");
    this.#selection = await loadFields(names);
  }

  async setFilter(expression: string): Promise<void> {
    const { loadFilter } = await import("./json/filter.js");
    this.#filter = await loadFilter(expression);
  }

  /** Throws `USAGE` for an unknown field, or if `--jq` fails. */
  jsonLine(value: unknown, possible: PossibleFields): string {
    return this.jsonOf(value, { possible });
  }

  /** Throws `USAGE` if `--json` names a field that no line can have. Call this before the first line. */
  checkFields(possible: PossibleFields): void {
    this.#selection?.({}, possible, false);
  }

  /**
   * Prints the REST response body with `--json`. Otherwise calls `show`.
   * @param operation the operation that returned the body; required if the body may lack optional fields
   */
  result(body: unknown, show?: () => void, operation?: string): void {
    const possible = operation === undefined ? [] : { operation };
    if (this.json)
      this.write(this.jsonOf(body, { possible, hasRun: true, ...(this.isTerminal && { indent: 2 }) }));
    else show?.();
  }

  item(body: unknown, show: () => void, possible: PossibleFields): void {
    if (this.json) this.write(this.jsonOf(body, { possible, hasRun: true }));
    else show();
  }

  /** Prints a line of the result. Pass untrusted text through `safe` or `oneLine` first. */
  line(text = ""): void {
    this.write(`${text}\n`);
  }

  /** Prints rows as a table. Without rows, prints `emptyText` on a terminal and nothing in a pipe. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], emptyText: string): void {
    if (rows.length === 0) {
      if (this.isTerminal) this.line(this.paint("dim", emptyText));
    } else if (this.isTerminal) {
      this.line(fitTable(columns, rows, this.width, (title) => this.paint("dim", title)));
    } else {
      this.line(tabSeparated(columns, rows));
    }
  }

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
      // Do not wrap a single word, such as a key or a URL, so that it can be copied.
      const lines = /\s/.test(text) ? indented(text, indent, this.width) : [indent + text];
      this.line(this.paint("dim", name.padEnd(longest)) + lines.join("\n").slice(longest));
    }
  }

  /** Formats a time: relative to now on a terminal, unchanged in a pipe, `-` for null. */
  readonly time = (time: string | null): string => {
    if (time === null) return "-";
    return this.isTerminal ? relative(time, now()) : oneLine(time);
  };

  /** Prints a note about the result to standard error. With `--json`, prints nothing. */
  note(text: string): void {
    if (!this.json) this.settings.stderr.write(guarded(`${this.withContext(text)}\n`));
  }

  /** Prints a warning to standard error, even with `--json`. */
  warn(text: string): void {
    this.settings.stderr.write(`${safe(this.withContext(text))}\n`);
  }

  /**
   * Returns the chosen fields as JSON, or the results of `--jq`. The text is empty or ends with a line break.
   * @param indent spaces per nesting level; if undefined, the JSON is one line
   */
  private jsonOf(
    value: unknown,
    { possible, hasRun = false, indent }: { possible: PossibleFields; hasRun?: boolean; indent?: number },
  ): string {
    const chosen = this.#selection ? this.#selection(value, possible, hasRun) : value;
    if (this.#filter) return this.#filter(chosen, indent);
    return `${jsonText(chosen, indent)}\n`;
  }

  private withContext(hint: string): string {
    return withContext(hint, this.settings.context ?? {});
  }

  nextSteps(...commands: string[]): void {
    if (this.json || !this.isTerminal) return;
    this.note("");
    this.note(this.paintNote("dim", commands.length === 1 ? "Next step:" : "Next steps:"));
    for (const command of commands) this.note(`  ${oneLine(command)}`);
  }

  /** Prints a success. In a pipe, prints only `value`, so that `id=$(wireroom send …)` works in scripts. */
  success(sentence: string, value: string): void {
    this.line(
      this.isTerminal ? `${this.paint("green", "✓")} ${sentence.replaceAll("\n", " ⏎ ")}` : oneLine(value),
    );
  }

  /** Writes a text and waits until the stream accepts it. Rejects only if `handlesOutputErrors` is set. */
  writeAndWait(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settings.stdout.write(guarded(text), (error) => (error ? reject(error) : resolve()));
    });
  }

  write(text: string): void {
    this.settings.stdout.write(guarded(text));
  }
}

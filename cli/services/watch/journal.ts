/**
 * Stores what the next watch must know if this one ends: finished items that may be unacknowledged, and
 * outputs that are not sent yet. Each line is a JSON object. The reader ignores any other line, such as an
 * incomplete one.
 */
import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { randomHexName } from "../../clock.js";
import { jsonObject } from "../../json-object.js";

type Line = { exited: string; output: string } | { done: string };

/**
 * Maximum number of finished items, and of outputs, to keep. At most 100 items can be unacknowledged at a
 * time.
 */
const MOST_DONE = 1_000;
/** The file is compacted when it exceeds this number of lines, or when `MOST_CHARACTERS` were appended. */
const MOST_LINES = 10_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class Journal {
  #lines = 0;
  #characters = 0;

  private constructor(
    private readonly file: string,
    private readonly done: Set<string>,
    /** Outputs that are not sent yet, keyed by item. */
    private readonly outputs: Map<string, string>,
  ) {}

  static async open(file: string): Promise<Journal> {
    const done = new Set<string>();
    const outputs = new Map<string, string>();
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    for (const { exited, output, done: key } of text.split("\n").map(jsonObject)) {
      if (typeof exited === "string" && typeof output === "string") outputs.set(exited, output);
      else if (typeof key === "string") {
        done.add(key);
        outputs.delete(key);
      }
    }
    return new Journal(file, done, outputs);
  }

  /** Returns whether the item is finished, so that its command must not run again. */
  isDone(key: string): boolean {
    return this.done.has(key);
  }

  outputOf(key: string): string | undefined {
    return this.outputs.get(key);
  }

  /** Rewrites the file, at the start and when it is long. This is synchronous, so that no line is lost. */
  compact(): void {
    for (const known of [this.done, this.outputs])
      for (const key of known.keys()) if (known.size > MOST_DONE) known.delete(key);
    const lines: Line[] = [
      ...[...this.outputs].map(([exited, output]) => ({ exited, output })),
      ...[...this.done].map((done) => ({ done })),
    ];
    const draft = `${this.file}.${randomHexName()}.new`;
    try {
      writeFileSync(draft, lines.map(textOf).join(""), { mode: 0o600, flag: "wx", flush: true });
      renameSync(draft, this.file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    this.#lines = lines.length;
    this.#characters = 0;
  }

  recordExit(key: string, output: string): void {
    this.outputs.set(key, output);
    this.#append({ exited: key, output });
  }

  recordDone(key: string): void {
    this.done.add(key);
    this.outputs.delete(key);
    this.#append({ done: key });
  }

  /** Appends a line. Once written, the line survives the end of this process, but not a power failure. */
  #append(line: Line): void {
    const text = textOf(line);
    appendFileSync(this.file, text, { mode: 0o600 });
    this.#characters += text.length;
    if (++this.#lines > MOST_LINES || this.#characters > MOST_CHARACTERS) this.compact();
  }
}

function textOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

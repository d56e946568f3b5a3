/**
 * Stores what the next watch must know if this one ends: finished items that may be unacknowledged, outputs
 * that are not sent yet, and running commands. Each line is a JSON object. The reader ignores any other line,
 * such as an incomplete one.
 */
import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { now, randomHexName } from "../../clock.js";

export interface StartedCommand {
  pid: number;
  startedAt: number;
}

type Line =
  | { exited: string; output: string }
  | { done: string }
  | ({ start: number } & Pick<StartedCommand, "startedAt">)
  | { end: number };

/** Maximum number of finished items to keep. At most 100 items can be unacknowledged at the same time. */
const MOST_DONE = 1_000;
/** The file is compacted when it exceeds this number of lines, or when `MOST_CHARACTERS` were appended. */
const MOST_LINES = 10_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class Journal {
  #lines = 0;
  #characters = 0;
  /** Start times, keyed by process id. */
  readonly #running = new Map<number, number>();

  private constructor(
    private readonly file: string,
    private readonly done: Set<string>,
    /** Outputs that are not sent yet, keyed by item. */
    private readonly outputs: Map<string, string>,
    /** Commands that were still running when an earlier watch ended. */
    readonly leftBehind: readonly StartedCommand[],
  ) {}

  static async open(file: string): Promise<Journal> {
    const done = new Set<string>();
    const outputs = new Map<string, string>();
    const started = new Map<number, StartedCommand>();
    for (const { exited, output, done: key, start, startedAt, end } of await linesOf(file)) {
      if (typeof exited === "string" && typeof output === "string") outputs.set(exited, output);
      else if (typeof key === "string") {
        done.add(key);
        outputs.delete(key);
      } else if (isProcessId(start) && typeof startedAt === "number")
        started.set(start, { pid: start, startedAt });
      else if (isProcessId(end)) started.delete(end);
    }
    return new Journal(file, done, outputs, [...started.values()]);
  }

  /** Returns whether the item's command exited with 0 and its output was sent. */
  isDone(key: string): boolean {
    return this.done.has(key);
  }

  outputOf(key: string): string | undefined {
    return this.outputs.get(key);
  }

  /** Rewrites the file without an earlier watch's commands. Synchronous, so that no line is lost. */
  compact(): void {
    for (const known of [this.done, this.outputs])
      for (const key of known.keys()) if (known.size > MOST_DONE) known.delete(key);
    const lines: Line[] = [
      ...[...this.outputs].map(([exited, output]) => ({ exited, output })),
      ...[...this.done].map((done) => ({ done })),
      ...[...this.#running].map(([start, startedAt]) => ({ start, startedAt })),
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

  recordStart(pid: number): void {
    const startedAt = now();
    this.#running.set(pid, startedAt);
    this.#append({ start: pid, startedAt });
  }

  recordEnd(pid: number): void {
    this.#running.delete(pid);
    this.#append({ end: pid });
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

/** Returns the lines that are JSON objects. */
async function linesOf(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value as Record<string, unknown>] : [];
    } catch {
      return [];
    }
  });
}

/** Rejects ids up to 1, because signals to the groups 0 and 1 would reach unrelated processes. */
function isProcessId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 1;
}

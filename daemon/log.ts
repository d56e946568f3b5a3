/** The daemon's log: JSON lines for standard error or a file, or readable text for a terminal. */
import { fstatSync } from "node:fs";
import { type Logger, pino } from "pino";
import { isoTime, SECOND, systemTimeMs } from "../src/kernel/clock.js";
import { FileAppender } from "./local/log-file.js";

/** pino requires this form, with a leading comma. */
const timestamp = () => `,"time":"${isoTime(systemTimeMs())}"`;

const ROTATION_INTERVAL_MS = 10 * SECOND;

/**
 * Throws an `Error` with a one-line message if the log file cannot be written.
 * @param readable formats a JSON line as text for a terminal
 */
export function createLog(level: string, file?: string, readable?: (line: string) => string): Logger {
  if (file !== undefined) return fileLog(level, file);
  if (process.stderr.isTTY && readable)
    return pino(
      { level, timestamp, base: null },
      { write: (line) => void process.stderr.write(readable(line)) },
    );
  // Use `bigint`: without it, an `fstat` of a pipe makes Node 20's module resolver stop following symbolic
  // links to packages.
  const isRegularFile = fstatSync(2, { bigint: true }).isFile();
  return pino({ level, timestamp }, new LogLines(isRegularFile ? new FileAppender(2) : pipe()));
}

function fileLog(level: string, file: string): Logger {
  let appender: FileAppender;
  try {
    appender = FileAppender.open(file);
  } catch (error) {
    throw new Error(`--log-file: ${file} cannot be written (${(error as Error).message})`);
  }
  const log = pino({ level, timestamp }, new LogLines(appender));
  let problem: string | undefined;
  setInterval(() => {
    try {
      appender.rotate(file);
      problem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) log.warn({ err: error }, "the log file cannot be rotated, and grows");
      problem = message;
    }
  }, ROTATION_INTERVAL_MS).unref();
  return log;
}

/** Ignores errors, so that the daemon survives a closed pipe. */
function pipe(): Destination {
  return process.stderr.on("error", () => {});
}

/** Reaching this number of buffered characters triggers a write. */
const CHUNK_LENGTH = 65_536;
const MAX_DELAY_MS = 50;
/** Further lines are dropped while the disk or reader is slow. */
const MAX_WAITING = 8 * 1_024 * 1_024;

interface Destination {
  /** Number of characters or bytes not written yet. */
  readonly writableLength: number;
  write(text: string): unknown;
  /** Writes synchronously. Absent if a slow reader could block it. */
  endSync?(): void;
}

/**
 * Buffers log lines, so that a request never waits for the disk. pino's own buffer is slower, because it is a
 * single string whose length pino computes again for each line.
 */
class LogLines {
  private lines: string[] = [];
  private characters = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly destination: Destination) {
    process.once("exit", () => {
      this.flush();
      destination.endSync?.();
    });
  }

  write(line: string): void {
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= CHUNK_LENGTH) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), MAX_DELAY_MS).unref();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines.length === 0) return;
    if (this.destination.writableLength > MAX_WAITING) this.dropped += this.lines.length;
    else this.destination.write(this.reportOfDropped() + this.lines.join(""));
    this.lines = [];
    this.characters = 0;
  }

  /** Reports the lines dropped since the last report. Returns "" if there are none. */
  private reportOfDropped(): string {
    if (this.dropped === 0) return "";
    const fields = `"lines":${this.dropped},"msg":"lines of the log were dropped, because it could not be written fast enough"`;
    this.dropped = 0;
    return `{"level":${pino.levels.values.warn}${timestamp()},${fields}}\n`;
  }
}

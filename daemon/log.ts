/**
 * The daemon's log. It is written as JSON lines to standard error or to a file (`--log-file`), or as readable text to a
 * terminal.
 */
import { type Logger, pino } from "pino";
import { isoTime, SECOND, systemTimeMs } from "../src/kernel/clock.js";
import { rotateIfFull } from "./local/log-file.js";

/** Returns the time field of a log line, as pino expects it. */
const timestamp = () => `,"time":"${isoTime(systemTimeMs())}"`;

/** Interval of the checks for log rotation. */
const ROTATION_INTERVAL_MS = 10 * SECOND;

/** Creates the logger. Throws an `Error` with a one-line message if the log file cannot be written. */
export async function createLog(level: string, file?: string): Promise<Logger> {
  if (file !== undefined) return pino({ level, timestamp }, await fileLog(file));
  if (process.stderr.isTTY) {
    const { default: pretty } = await import("pino-pretty");
    return pino(
      { level, base: null },
      pretty({ destination: 2, singleLine: true, translateTime: "HH:MM:ss.l" }),
    );
  }
  return pino({ level, timestamp }, new LogLines(pino.destination({ fd: 2, sync: false })));
}

/** Opens the log file with mode 600, because it may contain confirmation codes. */
async function fileLog(file: string) {
  const destination = pino.destination({ dest: file, sync: false, mkdir: true, mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    destination.once("ready", resolve);
    destination.once("error", (error: Error) =>
      reject(new Error(`--log-file: ${file} cannot be written (${error.message})`)),
    );
  });
  setInterval(() => {
    if (rotateIfFull(file)) destination.reopen();
  }, ROTATION_INTERVAL_MS).unref();
  return new LogLines(destination);
}

/** Buffered characters that trigger a write. */
const CHUNK_LENGTH = 65_536;
/** Maximum time for which a line stays in the buffer. */
const MAX_DELAY_MS = 50;

interface Destination {
  write(text: string): unknown;
  flushSync(): void;
}

/**
 * Buffers log lines, so that a request never waits for the disk. pino's own buffer is one string, and pino computes its length
 * again for each line. That took 10 % of the CPU time of a short request.
 */
class LogLines {
  private lines: string[] = [];
  private characters = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly destination: Destination) {
    process.once("exit", () => this.end());
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
    this.destination.write(this.lines.join(""));
    this.lines = [];
    this.characters = 0;
  }

  private end(): void {
    this.flush();
    this.destination.flushSync();
  }
}

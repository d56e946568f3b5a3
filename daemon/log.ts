/** Logs go to standard error: JSON lines, or pretty on a terminal; or, as JSON lines, to a file (`--log-file`). */
import { type Logger, pino } from "pino";
import { isoTime, machineTime, SECOND } from "../src/kernel/clock.js";
import { rotateWhenFull } from "./local/log-file.js";

/** The time of a line. */
const timestamp = () => `,"time":"${isoTime(machineTime())}"`;

/** Time between two checks of the size of the file. */
const ROTATION_INTERVAL_MS = 10 * SECOND;

/** Throws an `Error` of one line where the file cannot be written. */
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

/** Codes of sign-ups may be in it: it is for the owner's eyes alone. */
async function fileLog(file: string) {
  const destination = pino.destination({ dest: file, sync: false, mkdir: true, mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    destination.once("ready", resolve);
    destination.once("error", (error: Error) =>
      reject(new Error(`--log-file: ${file} cannot be written (${error.message})`)),
    );
  });
  setInterval(() => {
    if (rotateWhenFull(file)) destination.reopen();
  }, ROTATION_INTERVAL_MS).unref();
  return new LogLines(destination);
}

/** Characters that are written at once. */
const CHUNK_LENGTH = 65_536;
/** Longest time that a line waits for others. */
const MAX_DELAY_MS = 50;

interface Destination {
  write(text: string): unknown;
  flushSync(): void;
}

/**
 * Writes many lines at once, so that neither a slow disk nor the writing delays a request. The destination's own buffer is one text
 * that it measures anew with each line, which took a tenth of the CPU of a short request.
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

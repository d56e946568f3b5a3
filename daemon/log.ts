/** Logs go to standard error: JSON lines, or pretty on a terminal; or, as JSON lines, to a file (`--log-file`). */
import { type Logger, pino } from "pino";
import { isoTime, machineTime, SECOND } from "../src/kernel/clock.js";
import { rotateWhenFull } from "./local/log-file.js";

/** Bytes of log that are written at once, and milliseconds that a line waits for others at most. */
const MANY_LINES = { minLength: 65_536, maxWrite: 131_072, periodicFlush: 50 };

/** The time of a line. */
const timestamp = () => `,"time":"${isoTime(machineTime())}"`;

/** Time between two looks at how long the file has become. */
const LOOK = 10 * SECOND;

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
  // Written in the background and many lines at a time, so that neither a slow reader nor the writing delays a request.
  const destination = pino.destination({ fd: 2, sync: false, ...MANY_LINES });
  return pino({ level, timestamp }, destination);
}

/** Codes of sign-ups may be in it: it is for the owner's eyes alone. */
async function fileLog(file: string) {
  const destination = pino.destination({ dest: file, sync: false, mkdir: true, mode: 0o600, ...MANY_LINES });
  await new Promise<void>((resolve, reject) => {
    destination.once("ready", resolve);
    destination.once("error", (error: Error) =>
      reject(new Error(`--log-file: ${file} cannot be written (${error.message})`)),
    );
  });
  setInterval(() => {
    if (rotateWhenFull(file)) destination.reopen();
  }, LOOK).unref();
  return destination;
}

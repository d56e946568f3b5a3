/** Logs go to standard error: JSON lines, or pretty on a terminal; or, as JSON lines, to a file (`--log-file`). */
import { type Logger, pino } from "pino";
import { isoTime, machineTime, SECOND } from "../src/kernel/clock.js";
import { rotateWhenFull } from "./local/log-file.js";
import { LogLines } from "./log-lines.js";

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
  }, LOOK).unref();
  return new LogLines(destination);
}

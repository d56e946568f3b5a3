/** Logs go to standard error: JSON lines, or pretty on a terminal. */
import { createRequire } from "node:module";
import { type Logger, pino } from "pino";

/** Bytes of log that are written at once, and milliseconds that a line waits for others at most. */
const BUFFER = 8_192;
const LONGEST_WAIT = 50;

export function createLog(level: string): Logger {
  if (process.stderr.isTTY) {
    const pretty = createRequire(import.meta.url)("pino-pretty") as (
      options: object,
    ) => NodeJS.WritableStream;
    return pino(
      { level, base: null },
      pretty({ destination: 2, singleLine: true, translateTime: "HH:MM:ss.l" }),
    );
  }
  // Written in the background and many lines at a time, so that neither a slow reader nor the writing delays a request.
  const destination = pino.destination({
    fd: 2,
    sync: false,
    minLength: BUFFER,
    periodicFlush: LONGEST_WAIT,
  });
  return pino({ level, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** Logs go to standard error: JSON lines, or pretty on a terminal. */
import { createRequire } from "node:module";
import { type Logger, pino } from "pino";

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
  // Written in the background, so that a slow reader of the log delays no request.
  return pino({ level, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: false }));
}

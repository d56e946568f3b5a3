/** Rotates the log file: a full `daemon.log` replaces `daemon.log.1`. */
import { renameSync, statSync } from "node:fs";

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Returns the path of the rotated log. */
export function previousLogFile(file: string): string {
  return `${file}.1`;
}

/** Renames the log file if it has reached 10 MiB. Returns whether it was renamed. */
export function rotateIfFull(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < MAX_LOG_BYTES) return false;
  renameSync(file, previousLogFile(file));
  return true;
}

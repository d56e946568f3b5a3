/** The log as a file that does not grow without end: a full one is kept once, as `….1`, and a new one is begun. */
import { renameSync, statSync } from "node:fs";

/** Bytes from which a log is full. */
const FULL = 10 * 1024 * 1024;

/** The log before this one. */
export function previousLog(file: string): string {
  return `${file}.1`;
}

/** Puts a full log in the place of the one before it. Gives whether it did. */
export function rotateWhenFull(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < FULL) return false;
  renameSync(file, previousLog(file));
  return true;
}

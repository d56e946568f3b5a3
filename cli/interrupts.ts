/** Ctrl-C and its like end the command, at once or once it has tidied up. */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let ending: ((exitCode: number) => void) | undefined;

/** Ends the process with 128 + the signal's number (130 for Ctrl-C); a second one ends it in any case. */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => end(128 + constants.signals[signal]));
}

function end(exitCode: number): void {
  const gently = ending;
  ending = undefined;
  if (gently) gently(exitCode);
  else process.exit(exitCode);
}

/**
 * Lets what is under way end by itself: the first signal calls `stop`, a second one ends the process.
 *
 * @param stop gets the exit code that the process ought to end with
 */
export function onInterrupt(stop: (exitCode: number) => void): void {
  ending = stop;
}

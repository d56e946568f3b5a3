/** Signals end the command: at once, after its cleanup, but never inside a critical section. */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let ending: ((exitCode: number) => void) | undefined;
let unbroken = 0;
let waiting: number | undefined;

/** Ends the process with 128 + the signal's number (130 for Ctrl-C); a second one ends it in any case. */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => end(128 + constants.signals[signal]));
}

function end(exitCode: number): void {
  const gently = ending;
  ending = undefined;
  if (gently) gently(exitCode);
  else if (unbroken > 0 && waiting === undefined) waiting = exitCode;
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

/**
 * Carries `work` out to its end, though someone wants to stop meanwhile: a refresh token that was sent is used up, so
 * the new one has to be kept. `work` must end by itself within seconds.
 */
export async function withoutBreak<Result>(work: () => Promise<Result>): Promise<Result> {
  unbroken++;
  try {
    return await work();
  } finally {
    unbroken--;
    if (unbroken === 0 && waiting !== undefined) process.exit(waiting);
  }
}

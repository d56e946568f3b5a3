/** Handles signals. A signal ends the process at once, unless a handler or a critical section is active. */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Maximum time that a critical section may delay a signal, because its request may never get a response. */
const LONGEST_DELAY_MS = 10_000;

let interruptHandler: ((exitCode: number) => void) | undefined;
let criticalSections = 0;
let pendingExitCode: number | undefined;

/** Makes signals exit with 128 + their number (130 for Ctrl-C). A second signal always exits at once. */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => onSignal(128 + constants.signals[signal]));
}

function onSignal(exitCode: number): void {
  const handler = interruptHandler;
  interruptHandler = undefined;
  if (handler) handler(exitCode);
  else if (criticalSections > 0 && pendingExitCode === undefined) {
    pendingExitCode = exitCode;
    setTimeout(() => process.exit(exitCode), LONGEST_DELAY_MS).unref();
  } else process.exit(exitCode);
}

export function exitSafely(exitCode: number): void {
  if (criticalSections > 0) pendingExitCode = exitCode;
  else process.exit(exitCode);
}

/**
 * Makes the first signal call `stop` with the exit code. A second signal exits the process.
 * @returns a function after which signals no longer call `stop`
 */
export function onInterrupt(stop: (exitCode: number) => void): () => void {
  interruptHandler = stop;
  return () => {
    if (interruptHandler === stop) interruptHandler = undefined;
  };
}

/**
 * Runs `task` and delays the first signal until the task ends, for at most 10 seconds. A second signal exits
 * at once. Example: a refresh token works only once, so the process must save the new token before it exits.
 */
export async function deferSignals<Result>(task: () => Promise<Result>): Promise<Result> {
  criticalSections++;
  try {
    return await task();
  } finally {
    criticalSections--;
    if (criticalSections === 0 && pendingExitCode !== undefined) process.exit(pendingExitCode);
  }
}

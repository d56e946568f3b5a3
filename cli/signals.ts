/** Handles signals. One exits the process immediately, unless a handler or a critical section is active. */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let interruptHandler: ((exitCode: number) => void) | undefined;
let criticalSections = 0;
let pendingExitCode: number | undefined;

/** Makes a signal exit with 128 + its number (130 for Ctrl-C). A second one always exits immediately. */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, () => onSignal(128 + constants.signals[signal]));
}

function onSignal(exitCode: number): void {
  const handler = interruptHandler;
  interruptHandler = undefined;
  if (handler) handler(exitCode);
  else if (criticalSections > 0 && pendingExitCode === undefined) pendingExitCode = exitCode;
  else process.exit(exitCode);
}

/** Exits the process: at once, or after the critical section that is active. */
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
 * Runs `task` and delays signals until it ends, for at most a minute. Example: a refresh token can be used
 * only once, so the process must save the new one before it exits.
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

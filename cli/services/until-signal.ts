/** Runs a command until a signal, or until its work is done. Waits if the daemon does not answer. */
import type { WireroomError } from "../../sdk/src/api.js";
import { EXIT } from "../exit-codes.js";
import { Interrupted } from "../failure.js";
import type { Session } from "../session.js";
import { onInterrupt } from "../signals.js";
import { Outage } from "./outage.js";

/** Options of requests: they are retried until the signal, and the user is told of an outage and its end. */
export interface RetryOptions {
  signal: AbortSignal;
  onRetry(error: WireroomError): void;
  onRead(): void;
  maxRetries: number;
  maxRetryAfter: number;
}

interface Grace {
  /** Seconds from the first signal until `kill` aborts. */
  seconds: number;
  /** Says what still runs, and what a second signal does. Undefined if nothing runs. */
  note(): string | undefined;
}

/** Returns the exit code if a signal other than Ctrl-C has ended the command. */
export async function untilSignal(
  session: Session,
  run: (retry: RetryOptions, kill: AbortSignal) => Promise<void>,
  grace?: Grace,
): Promise<number | undefined> {
  const { output } = session;
  const [stop, kill] = [new AbortController(), new AbortController()];
  const outage = new Outage(await session.url(), (text) => output.warn(text));
  let exitCode: number | undefined;
  onInterrupt((code) => {
    exitCode = code;
    stop.abort();
    if (!grace) return;
    setTimeout(() => kill.abort(), grace.seconds * 1_000).unref();
    const note = grace.seconds > 0 && grace.note();
    if (note) output.note(`waiting up to ${grace.seconds} s for ${note}`);
  });
  try {
    const retry = { onRetry: (error: WireroomError) => outage.report(error), onRead: () => outage.end() };
    await run({ ...retry, signal: stop.signal, maxRetries: Infinity, maxRetryAfter: Infinity }, kill.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
  }
  // SIGTERM is the normal way to stop a service, so it is not a failure.
  if (exitCode === EXIT.interrupted) throw new Interrupted(exitCode);
  return exitCode;
}

/** When a failed attempt is repeated, and after how long. */
import { randomBelow } from "./clock.js";
import { ConnectionError, type WireroomError } from "./errors.js";
import type { Operation } from "./operation.js";

/** How patient a call is. */
export interface RetryPolicy {
  maxRetries: number;
  /** Longest wait in seconds that a `retry_after` may ask for. */
  maxRetryAfter: number;
}

const FIRST_BACKOFF = 250;
const LONGEST_BACKOFF = 5_000;
/** Spread over which those who were told the same `retry_after` come back. */
const SPREAD = 250;

/** Answers that say: not now. What stands before a daemon answers 502 and 504 while it restarts. */
const BUSY = new Set([502, 503, 504]);

/** @param attempt 0 for the first. Gives milliseconds, or undefined where the failure stands. */
export function retryDelay(
  error: WireroomError,
  operation: Operation,
  attempt: number,
  policy: RetryPolicy,
): number | undefined {
  if (attempt >= policy.maxRetries || !mayBeRepeated(error, operation)) return undefined;
  if (error.retryAfter === undefined) return backoff(attempt);
  if (error.retryAfter > policy.maxRetryAfter) return undefined;
  return error.retryAfter * 1_000 + randomBelow(SPREAD);
}

function mayBeRepeated(error: WireroomError, operation: Operation): boolean {
  if (error instanceof ConnectionError) return !operation.once || !error.mayHaveArrived;
  // A quota that waiting does not free comes without `retry_after`.
  if (error.status === 429) return error.retryAfter !== undefined;
  return error.status !== undefined && BUSY.has(error.status) && !operation.once;
}

/** Exponential with full jitter, so that clients that failed together do not come back together. */
function backoff(attempt: number): number {
  return randomBelow(Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** attempt));
}

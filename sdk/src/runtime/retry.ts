/** Decides whether a failed attempt is retried, and after how long. */
import { randomBelow } from "./clock.js";
import { ConnectionError, type WireroomError } from "./errors.js";
import type { Operation } from "./operation.js";

/** Limits of the retries of one call. */
export interface RetryPolicy {
  maxRetries: number;
  /** Longest wait in seconds that a `retry_after` may ask for. */
  maxRetryAfter: number;
}

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 5_000;
/** Jitter on top of `retry_after`, as many clients may have been told the same one. */
const JITTER_MS = 250;

/** Statuses of a passing fault. A proxy before a daemon answers 502 and 504 while it restarts. */
const TRANSIENT = new Set([502, 503, 504]);

/** Milliseconds until the next attempt; undefined if there is to be none. @param attempt 0 for the first */
export function retryDelay(
  error: WireroomError,
  operation: Operation,
  attempt: number,
  policy: RetryPolicy,
): number | undefined {
  if (attempt >= policy.maxRetries || !isRetryable(error, operation)) return undefined;
  if (error.retryAfter === undefined) return backoff(attempt);
  if (error.retryAfter > policy.maxRetryAfter) return undefined;
  return error.retryAfter * 1_000 + randomBelow(JITTER_MS);
}

function isRetryable(error: WireroomError, operation: Operation): boolean {
  if (error instanceof ConnectionError) return !operation.once || !error.mayHaveArrived;
  // Without `retry_after` it is a quota, which time does not free.
  if (error.status === 429) return error.retryAfter !== undefined;
  return error.status !== undefined && TRANSIENT.has(error.status) && !operation.once;
}

/** Exponential with full jitter, so that clients that failed together do not come back together. */
function backoff(attempt: number): number {
  return randomBelow(Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt));
}

/** Decides whether to retry a failed attempt, and computes the delay. */
import { randomBelow } from "../clock.js";
import { ConnectionError, TlsError, type WireroomError } from "../errors.js";
import type { Operation } from "../operation.js";

/** Retry limits for one call. */
export interface RetryPolicy {
  maxRetries: number;
  maxRetryAfter: number;
}

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 5_000;
/** Maximum random delay added to `retry_after`, so that clients do not all retry at the same time. */
const JITTER_MS = 250;

/**
 * Maximum delay in seconds, even if `maxRetryAfter` allows more, because a misconfigured proxy may send a
 * `Retry-After` of years.
 */
const LONGEST_WAIT_S = 3_600;

/** HTTP statuses of temporary failures. A reverse proxy returns 502 and 504 while the daemon restarts. */
const TRANSIENT = new Set([502, 503, 504]);

/**
 * Returns undefined if the request must not be retried.
 * @param attempt 0 for the first attempt
 */
export function retryDelay(
  error: WireroomError,
  operation: Operation,
  attempt: number,
  policy: RetryPolicy,
): number | undefined {
  if (attempt >= policy.maxRetries || !isRetryable(error, operation)) return undefined;
  if (error.retryAfter === undefined) return backoff(attempt);
  if (error.retryAfter > policy.maxRetryAfter) return undefined;
  return Math.min(error.retryAfter, LONGEST_WAIT_S) * 1_000 + randomBelow(JITTER_MS);
}

function isRetryable(error: WireroomError, operation: Operation): boolean {
  if (error instanceof TlsError) return false;
  if (error instanceof ConnectionError) return !operation.once || !error.mayHaveArrived;
  // A 429 from the service without `retry_after` means that a quota is used up, so a retry would fail too.
  if (error.status === 429) return error.retryAfter !== undefined || error.code !== "RATE_LIMITED";
  return error.status !== undefined && TRANSIENT.has(error.status) && !operation.once;
}

/** The delay is random, so that clients retry at different times. */
function backoff(attempt: number): number {
  return randomBelow(Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt));
}

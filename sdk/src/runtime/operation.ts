/** What the generated methods tell the runtime, and what callers may set for one call. */
import type { WireroomError } from "./errors.js";

/** An operation of the contract, as far as sending it goes. */
export interface Operation {
  /** `noun.verb`, for messages. */
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base URL, with `{name}` for each part that the input names. */
  path: string;
  /** It must not be sent again once it may have arrived: the service does not recognise a repetition of it. */
  once?: boolean;
  /** The service may hold the answer for `wait` seconds of the input. */
  held?: boolean;
}

/** Settings of one call. What is left out is as the client was made. */
export interface CallOptions {
  /** Ends the call, its waits and its retries; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds that each attempt may take; `Infinity` for no limit. A long-poll gets its `wait` on top.
   *
   * @example 5000
   */
  timeout?: number | undefined;
  /**
   * How often a failed attempt is repeated; 0 for never, `Infinity` for as long as the signal allows.
   *
   * @example 0
   */
  maxRetries?: number | undefined;
  /** Longest `retry_after` in seconds that is waited for; above it the call rejects at once. */
  maxRetryAfter?: number | undefined;
  /**
   * Name of this request, for operations that create something (every POST but `keys.issue`): the same key with the
   * same input has its effect once in 24 hours, also across processes. 1 to 128 visible ASCII characters. Without one
   * each call gets a random key of its own, which its retries share.
   *
   * @example "order-42"
   */
  idempotencyKey?: string | undefined;
  /**
   * Is told of each failed attempt that is going to be repeated.
   *
   * @param error what the attempt failed with
   * @param delay milliseconds until the next attempt
   */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
  /** Further headers of the request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * The description of an API operation, which generated methods pass to the runtime, and the options of one
 * call.
 */
import type { WireroomError } from "./error-union.js";

/** The properties of an API operation that are needed to call it. */
export interface Operation {
  /** The id of the operation, `noun.verb`, for error messages. */
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path relative to the base URL. `{name}` stands for a path parameter. */
  path: string;
  /**
   * True if the service does not detect repeated requests. The client then does not retry a request that the
   * service may have received.
   */
  once?: boolean;
  /** True if the service may delay the response by up to `wait` or `wait_for_reply` seconds (long poll). */
  held?: boolean;
}

/** Options of one call. The options of the client are the defaults. */
export interface CallOptions {
  /** Aborts the call, including its waits and retries. The promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Timeout of each attempt in milliseconds. `Infinity` means no limit. For a long poll, `wait` is added to
   * the timeout.
   *
   * @example 5000
   */
  timeout?: number | undefined;
  /**
   * Maximum number of retries. 0 means none, and `Infinity` means no limit.
   *
   * @example 0
   */
  maxRetries?: number | undefined;
  /** Maximum `retry_after` in seconds. The call rejects immediately if the service requires a longer wait. */
  maxRetryAfter?: number | undefined;
  /**
   * Idempotency key of this request, 1 to 128 visible ASCII characters. Every POST except `keys.issue` and
   * `handles.issueToken` accepts a key. Within 24 hours, calls with the same key and the same input take
   * effect only once, even from several processes. Default: a new random key for each call, which the retries
   * of the call share.
   *
   * @example "order-42"
   */
  idempotencyKey?: string | undefined;
  /**
   * Called before each retry.
   *
   * @param error the error of the failed attempt
   * @param delay milliseconds until the next attempt
   */
  onRetry?: ((error: WireroomError, delay: number) => void) | undefined;
  /** Additional headers of the request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Types that describe an API operation and the options of a call. */
import type { WireroomError } from "./error-union.js";

/** The properties of an API operation that a call needs. */
export interface Operation {
  /** The operation's id in the form `noun.verb`. Error messages contain it. */
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path relative to the base URL. `{name}` stands for a path parameter. */
  path: string;
  /**
   * True if the service cannot detect repeated requests. The client then does not retry requests that the
   * service may have received.
   */
  once?: boolean;
  /** True for an operation other than a POST that accepts an idempotency key. */
  keyed?: boolean;
  /** The query parameters of an operation other than a GET. */
  query?: readonly string[];
  /** True for a long poll: the service may delay the response by up to `wait` or `wait_for_reply` seconds. */
  held?: boolean;
}

/** Options of one call. Each defaults to the client's option of the same name. */
export interface CallOptions {
  /** Aborts the call, including its waits and retries. The promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Timeout of each attempt in milliseconds. `Infinity` means no limit. For a long poll, the client adds the
   * input's `wait`.
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
  /** Maximum `retry_after` in seconds. If the service demands a longer wait, the call rejects at once. */
  maxRetryAfter?: number | undefined;
  /**
   * Idempotency key of this request: 1 to 128 visible ASCII characters. Within 24 hours, calls with the same
   * key and input take effect only once, even from different processes. Every POST except `keys.issue` and
   * `handles.issueToken` accepts a key, and so does `wires.claim`. Default: a random key per call, which the
   * call's retries reuse.
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

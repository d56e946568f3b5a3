/** A client's hooks and logger. They never receive credentials, bodies or the request's own headers. */

import { monotonicMs } from "./clock.js";
import type { WireroomError as AnyError } from "./error-union.js";
import { WireroomError } from "./errors.js";
import type { CallOptions, Operation } from "./operation.js";
import { emitWarning } from "./transport/platform.js";
import { mergeHeaders, type Request } from "./transport/request.js";
import type { ResponseInfo } from "./transport/response.js";

/** One attempt of a call, passed to `onRequest`. */
export interface RequestEvent {
  /**
   * The id of the operation.
   *
   * @example "wires.send"
   */
  readonly operation: string;
  readonly method: Operation["method"];
  /** The URL with its query. */
  readonly url: string;
  /** The attempt's number within its call, starting at 1. */
  readonly attempt: number;
  /**
   * Headers to add to the request. Initially empty, because hooks do not see the client's own headers.
   *
   * @example { "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }
   */
  readonly headers: Record<string, string>;
}

/** The outcome of an attempt, passed to `onResponse`. */
export interface ResponseEvent {
  /** The same object that `onRequest` received. */
  readonly request: RequestEvent;
  /** Milliseconds until the whole response arrived. For a stream, milliseconds until the stream began. */
  readonly durationMs: number;
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The request id, which also appears in the daemon's log. */
  readonly requestId: string | undefined;
  /** The cause of a failure: a `WireroomError` or the signal's abort reason. Undefined after a success. */
  readonly error: unknown;
}

/** Receives log messages, as `console` does. `fields` contains the message's values for use by programs. */
export interface Logger {
  debug(message: string, fields: object): void;
  warn(message: string, fields: object): void;
}

/** Client options for observing calls. */
export interface HookOptions {
  /**
   * Receives the result of each attempt (`debug`) and each retry (`warn`). Without a logger, a loop or `ask`
   * prints one warning when the service stops responding, and one when it responds again.
   */
  logger?: Logger | undefined;
  /** Called before each attempt. If it throws, the call rejects with that error and sends nothing. */
  onRequest?: ((request: RequestEvent) => void) | undefined;
  /** Called after each attempt, including failed ones. If it throws, the call rejects with that error. */
  onResponse?: ((response: ResponseEvent) => void) | undefined;
}

/** Calls a client's hooks and logger. */
export class Observer {
  /** True from the warning that the service does not respond until it responds again. */
  #isWaiting = false;

  constructor(private readonly options: HookOptions) {}

  async attempt<Result extends { response: ResponseInfo }>(
    operation: Operation,
    request: Request,
    url: string,
    attempt: number,
    send: (request: Request) => Promise<Result>,
  ): Promise<Result> {
    const { logger, onRequest, onResponse } = this.options;
    if (!logger && !onRequest && !onResponse && !this.#isWaiting) return send(request);
    const event = { operation: operation.id, method: operation.method, url, attempt, headers: {} };
    onRequest?.(event);
    const started = monotonicMs();
    const end = (status: number | undefined, requestId: string | undefined, error: unknown) => {
      const durationMs = Math.round(monotonicMs() - started);
      const result = status ?? (error instanceof WireroomError ? error.code : "aborted");
      const { headers: _, ...fields } = event;
      logger?.debug(`${operation.id}: ${result} after ${durationMs} ms`, {
        ...fields,
        status,
        requestId,
        durationMs,
      });
      onResponse?.({ request: event, durationMs, status, requestId, error });
    };
    let result: Result;
    try {
      result = await send({ ...request, headers: mergeHeaders(request.headers, event.headers) });
    } catch (error) {
      const { status, requestId } = error instanceof WireroomError ? error : {};
      end(status, requestId, error);
      throw error;
    }
    end(result.response.status, result.response.requestId, undefined);
    if (this.#isWaiting) emitWarning(`${new URL(url).origin} responds again`);
    this.#isWaiting = false;
    return result;
  }

  /** Without a logger, warns if the number of retries is unlimited. */
  retry(
    operation: Operation,
    error: WireroomError,
    delayMs: number,
    { maxRetries, onRetry }: CallOptions,
  ): void {
    if (!this.options.logger && maxRetries === Infinity && error.status !== 429 && !this.#isWaiting) {
      this.#isWaiting = true;
      emitWarning(`${error.message}; trying again`);
    }
    const { code, status, requestId } = error;
    this.options.logger?.warn(`${error.message}; next attempt in ${Math.round(delayMs)} ms`, {
      operation: operation.id,
      code,
      status,
      requestId,
      delayMs,
    });
    onRetry?.(error as AnyError, delayMs);
  }
}

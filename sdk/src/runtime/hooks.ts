/** The hooks and the logger of a client. They never get credentials, bodies, or the headers of requests. */

import { monotonicMs } from "./clock.js";
import type { WireroomError as AnyError } from "./error-union.js";
import { WireroomError } from "./errors.js";
import type { Operation } from "./operation.js";
import { mergeHeaders, type Request } from "./transport/request.js";
import type { ResponseInfo } from "./transport/response.js";

/** An attempt to call an operation, as `onRequest` receives it. */
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
  /** The number of this attempt of the call, from 1. */
  readonly attempt: number;
  /**
   * Headers to add to the request. They are empty at first; the other headers of the request are not shown.
   *
   * @example { "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }
   */
  readonly headers: Record<string, string>;
}

/** The end of an attempt, as `onResponse` receives it. */
export interface ResponseEvent {
  /** The object that `onRequest` received. */
  readonly request: RequestEvent;
  /** Milliseconds until the whole response arrived; for a stream, until it began. */
  readonly durationMs: number;
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** The id of the request, which the daemon also logs. */
  readonly requestId: string | undefined;
  /**
   * Why the attempt failed: a `WireroomError`, or the reason of the caller's abort signal. It is undefined
   * after a success.
   */
  readonly error: unknown;
}

/** Receives log messages. `console` is one. The fields repeat parts of the message for programs. */
export interface Logger {
  debug(message: string, fields: object): void;
  warn(message: string, fields: object): void;
}

/** Options of a client that observe its calls. */
export interface HookOptions {
  /** Receives the result of each attempt (`debug`) and each retry (`warn`). Default: none. */
  logger?: Logger | undefined;
  /** Called before each attempt. An error that it throws rejects the call, which is then not sent. */
  onRequest?: ((request: RequestEvent) => void) | undefined;
  /** Called after each attempt, also after a failed one. An error that it throws rejects the call. */
  onResponse?: ((response: ResponseEvent) => void) | undefined;
}

/** Calls the hooks and the logger of a client. */
export class Observer {
  constructor(private readonly options: HookOptions) {}

  /** Runs one attempt. @param url the URL of the request */
  async attempt<Result extends { response: ResponseInfo }>(
    operation: Operation,
    request: Request,
    url: string,
    attempt: number,
    send: (request: Request) => Promise<Result>,
  ): Promise<Result> {
    const { logger, onRequest, onResponse } = this.options;
    if (!logger && !onRequest && !onResponse) return send(request);
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
    return result;
  }

  /** Logs a retry, and calls `onRetry` of the call. */
  retry(
    operation: Operation,
    error: WireroomError,
    delayMs: number,
    onRetry: ((error: AnyError, delay: number) => void) | undefined,
  ): void {
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

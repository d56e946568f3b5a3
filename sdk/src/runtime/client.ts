/** Runs a client's calls: adds the credential, limits each attempt's time, and retries failed attempts. */
import { VERSION } from "../generated/version.js";
import { onAbort } from "./abort.js";
import { ApiPromise, type WithResponse } from "./api-promise.js";
import { sleep, untilAborted } from "./clock.js";
import { ConnectionError, TimeoutError, TlsError, WireroomError } from "./errors.js";
import { Observer } from "./hooks.js";
import type { CallOptions, Operation } from "./operation.js";
import { type PageOutput, PagePromise } from "./pages.js";
import { requireAtLeast, type Settings, timerDelayMs } from "./settings.js";
import { AttemptSignal } from "./transport/attempt-signal.js";
import { defaultTransport } from "./transport/default.js";
import { ConnectionFault, describeFault } from "./transport/fault.js";
import { fetchTransport } from "./transport/fetch.js";
import { parseLines } from "./transport/lines.js";
import { runtimeName } from "./transport/platform.js";
import { buildRequest, mergeHeaders, type Request } from "./transport/request.js";
import { isSuccess, parseBody, ResponseInfo, readResponse } from "./transport/response.js";
import { type RetryPolicy, retryDelay } from "./transport/retry.js";
import type { Transport } from "./transport/transport.js";

/**
 * Returns the bearer token for the next attempt. If the service rejects the token, the client calls this
 * function again with the rejected token. If it gets a different token, it repeats the attempt once.
 */
export type Credential = (refused?: string) => string | Promise<string>;

/** 401 for agents, 403 for humans. */
type RefusedStatus = 401 | 403;

export class Client {
  readonly #settings: Settings;
  readonly #credential: Credential;
  readonly #refusedStatus: RefusedStatus;
  readonly #transport: Transport;
  readonly #observer: Observer;
  /** The headers of every request. */
  readonly #headers: Record<string, string>;
  readonly #pending = new Set<Promise<void>>();
  /** Functions that end the pauses before retries, so that `close` need not wait. */
  readonly #pauses = new Set<() => void>();
  #isClosed = false;

  constructor(settings: Settings, credential: Credential, refusedStatus: RefusedStatus) {
    this.#settings = settings;
    this.#credential = credential;
    this.#refusedStatus = refusedStatus;
    const { baseUrl, fetch, connections, headers } = settings;
    this.#transport = fetch ? fetchTransport(baseUrl, fetch) : defaultTransport(baseUrl, connections);
    this.#observer = new Observer(settings.hooks);
    this.#headers = mergeHeaders(userAgent(), headers);
  }

  /** Calls an operation. Rejects with a `WireroomError`, or with the abort reason of the caller's signal. */
  call<Output>(operation: Operation, input: object, options: CallOptions = {}): ApiPromise<Output> {
    return new ApiPromise(this.#run<Output>(operation, input, options));
  }

  /**
   * Calls an operation that returns a list page by page.
   * @param key the output property that contains the items
   */
  list<Output extends PageOutput, Item>(
    operation: Operation,
    input: object,
    options: CallOptions | undefined,
    key: string,
  ): PagePromise<Output, Item> {
    const read = (cursor: string) => this.list<Output, Item>(operation, { ...input, cursor }, options, key);
    return new PagePromise(this.#run<Output>(operation, input, options ?? {}), key, read, input);
  }

  /**
   * Calls an operation that streams JSON lines. Retries only before the response starts. Rejects with a
   * `ConnectionError` if the response ends early.
   */
  async *lines<Line>(
    operation: Operation,
    input: object,
    options: CallOptions = {},
  ): AsyncGenerator<Line, void, undefined> {
    const end = this.#startCall();
    try {
      const { body, attempt } = await this.#withRetries(operation, input, options, (request, timeout) =>
        this.#openStream(operation, request, timeout, options.signal),
      );
      try {
        yield* parseLines<Line>(body, attempt, (lines) => {
          const message = `${operation.id}: the response ended early, after ${lines} lines`;
          return new ConnectionError(message, true, undefined);
        });
      } catch (error) {
        throw this.#toCallerError(operation, error, attempt);
      } finally {
        attempt.dispose();
      }
    } finally {
      end();
    }
  }

  /** Pending calls end without further retries. Later calls reject with a `TypeError`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of this.#pauses) end();
    await Promise.all(this.#pending);
    await this.#transport.close();
  }

  async #run<Output>(
    operation: Operation,
    input: object,
    options: CallOptions,
  ): Promise<WithResponse<Output>> {
    const end = this.#startCall();
    try {
      return await this.#withRetries(operation, input, options, (request, timeout) =>
        this.#attempt<Output>(operation, request, timeout, options.signal),
      );
    } finally {
      end();
    }
  }

  /** Returns a function that ends the call. Throws a `TypeError` after `close`. */
  #startCall(): () => void {
    if (this.#isClosed) throw new TypeError("the client is closed");
    let resolvePending = () => {};
    const pending = new Promise<void>((resolve) => {
      resolvePending = resolve;
    });
    this.#pending.add(pending);
    return () => {
      this.#pending.delete(pending);
      resolvePending();
    };
  }

  async #withRetries<Result extends { response: ResponseInfo }>(
    operation: Operation,
    input: object,
    options: CallOptions,
    attempt: (request: Request, timeout: number | undefined) => Promise<Result>,
  ): Promise<Result> {
    const headers = options.headers ? mergeHeaders(this.#headers, options.headers) : this.#headers;
    const request = buildRequest(operation, input, { ...options, headers });
    const timeout = this.#timeout(operation, input, options);
    const policy = this.#policy(options);
    const url = this.#settings.baseUrl.href + request.path;
    let attempts = 0;
    for (let failed = 0; ; failed++) {
      try {
        return await this.#withCredential(request, options.signal, (authorized) =>
          this.#observer.attempt(operation, authorized, url, ++attempts, (observed) =>
            attempt(observed, timeout),
          ),
        );
      } catch (error) {
        if (!(error instanceof WireroomError) || options.signal?.aborted) throw error;
        const delay = retryDelay(error, operation, failed, policy);
        if (delay === undefined || this.#isClosed) throw error;
        this.#observer.retry(operation, error, delay, options);
        await this.#pause(delay, options.signal);
        if (this.#isClosed) throw error;
      }
    }
  }

  /** Ends early if the client is closed. Rejects if the signal aborts. */
  async #pause(delay: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const ended = new AbortController();
    const end = () => ended.abort();
    this.#pauses.add(end);
    const removeListener = onAbort(signal, end);
    try {
      await sleep(delay, ended.signal);
    } catch {
      signal?.throwIfAborted();
    } finally {
      this.#pauses.delete(end);
      removeListener();
    }
  }

  #policy(options: CallOptions): RetryPolicy {
    const { maxRetries, maxRetryAfter } = this.#settings;
    return {
      maxRetries: requireAtLeast(0, "maxRetries", options.maxRetries ?? maxRetries),
      maxRetryAfter: requireAtLeast(0, "maxRetryAfter", options.maxRetryAfter ?? maxRetryAfter),
    };
  }

  /** Includes the time that a long poll may take. */
  #timeout(operation: Operation, input: object, options: CallOptions): number | undefined {
    const timeout = requireAtLeast(1, "timeout", options.timeout ?? this.#settings.timeout);
    const { wait, wait_for_reply } = input as { wait?: number; wait_for_reply?: number };
    const heldSeconds = operation.held ? (wait ?? wait_for_reply ?? 0) : 0;
    return timerDelayMs(timeout + heldSeconds * 1_000);
  }

  async #attempt<Output>(
    operation: Operation,
    request: Request,
    timeout: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<WithResponse<Output>> {
    const attempt = new AttemptSignal(timeout, signal);
    try {
      const response = await readResponse(await this.#transport.request(request, attempt.signal));
      const data = parseBody(response, operation.id, this.#address) as Output;
      return { data, response: new ResponseInfo(response.status, response.headers) };
    } catch (error) {
      throw this.#toCallerError(operation, error, attempt);
    } finally {
      attempt.dispose();
    }
  }

  async #openStream(
    operation: Operation,
    request: Request,
    timeout: number | undefined,
    signal: AbortSignal | undefined,
  ) {
    const attempt = new AttemptSignal(timeout, signal);
    try {
      const response = await this.#transport.request(request, attempt.signal);
      if (!isSuccess(response.status)) parseBody(await readResponse(response), operation.id, this.#address);
      const { status, headers, body } = response;
      return { body, attempt, response: new ResponseInfo(status, headers) };
    } catch (error) {
      attempt.dispose();
      throw this.#toCallerError(operation, error, attempt);
    }
  }

  async #withCredential<Result>(
    request: Request,
    signal: AbortSignal | undefined,
    send: (authorized: Request) => Promise<Result>,
  ): Promise<Result> {
    const token = await this.#token(signal);
    try {
      return await send(withBearer(token, request));
    } catch (error) {
      if (!(error instanceof WireroomError) || error.status !== this.#refusedStatus) throw error;
      const other = await this.#token(signal, token);
      if (other === token) throw error;
      return send(withBearer(other, request));
    }
  }

  /** Rejects when the signal aborts, even if the credential function never returns. */
  async #token(signal: AbortSignal | undefined, refused?: string): Promise<string> {
    signal?.throwIfAborted();
    const token = this.#credential(refused);
    if (!signal || typeof token === "string") return token;
    return untilAborted(token, signal);
  }

  #toCallerError(
    operation: Operation,
    error: unknown,
    { caller, isTimedOut, timeoutMs }: AttemptSignal,
  ): unknown {
    if (error instanceof WireroomError) return error;
    if (caller?.aborted) return caller.reason;
    if (isTimedOut)
      return new TimeoutError(`${operation.id}: no response within ${timeoutMs} ms (asked ${this.#address})`);
    return error instanceof ConnectionFault ? this.#connectionError(operation, error.cause) : error;
  }

  #connectionError(operation: Operation, error: unknown): ConnectionError {
    const { why, mayHaveArrived, tlsProblem } = describeFault(error);
    const { baseUrl, urlHint } = this.#settings;
    const { href } = baseUrl;
    if (tlsProblem) return new TlsError(`${operation.id}: cannot use ${href}: ${tlsProblem} (${why})`, error);
    const message = `${operation.id}: no response from ${href} (${why})${urlHint}`;
    return new ConnectionError(message, mayHaveArrived, error);
  }

  /** The base URL, with its hint, for messages. */
  get #address(): string {
    const { baseUrl, urlHint } = this.#settings;
    return `${baseUrl.href}${urlHint}`;
  }
}

/**
 * Returns no header in browsers, because they send their own, and a custom one would need the server's
 * permission in a cross-origin request (CORS).
 */
function userAgent(): Record<string, string> {
  const runtime = runtimeName();
  return runtime === undefined ? {} : { "user-agent": `wireroom-sdk/${VERSION} ${runtime}` };
}

function withBearer(token: string, request: Request): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

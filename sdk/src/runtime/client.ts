/** Runs the calls of a client: credential, attempts, timeout and retries. */
import { VERSION } from "../generated/version.js";
import { ApiPromise, type WithResponse } from "./api-promise.js";
import { sleep, untilAborted } from "./clock.js";
import { ConnectionError, TimeoutError, TlsError, WireroomError } from "./errors.js";
import type { CallOptions, Operation } from "./operation.js";
import { type RetryPolicy, retryDelay } from "./retry.js";
import { requireAtLeast, type Settings, timerDelayMs } from "./settings.js";
import { AttemptSignal } from "./transport/attempt-signal.js";
import { classifyFault, fetchTransport, poolTransport, type Transport } from "./transport/index.js";
import { parseLines } from "./transport/lines.js";
import { buildRequest, mergeHeaders, type Request } from "./transport/request.js";
import { parseBody, ResponseInfo } from "./transport/response.js";

/**
 * Returns the bearer token for the next attempt. If the service rejects the token, the function is called again with the
 * rejected token. If it returns another token, the attempt is repeated once.
 */
export type Credential = (refused?: string) => string | Promise<string>;

/** The status with which the service rejects a credential: 401 for that of an agent, 403 for that of a human. */
type RefusedStatus = 401 | 403;

const USER_AGENT = `wireroom-sdk/${VERSION} node/${process.versions.node}`;

/** Sends the requests of one caller: an agent or a human. */
export class Client {
  readonly #settings: Settings;
  readonly #credential: Credential;
  readonly #refusedStatus: RefusedStatus;
  readonly #transport: Transport;

  constructor(settings: Settings, credential: Credential, refusedStatus: RefusedStatus) {
    this.#settings = settings;
    this.#credential = credential;
    this.#refusedStatus = refusedStatus;
    const { baseUrl, fetch, connections } = settings;
    this.#transport = fetch ? fetchTransport(baseUrl, fetch) : poolTransport(baseUrl, connections);
  }

  /** Calls an operation. Rejects with a `WireroomError`, or with the reason of the caller's abort signal. */
  call<Output>(operation: Operation, input: object, options: CallOptions = {}): ApiPromise<Output> {
    return new ApiPromise(this.#run<Output>(operation, input, options));
  }

  /**
   * Calls an operation that streams JSON lines. Retries only before the response starts. Rejects with a
   * `ConnectionError` if the response is incomplete.
   */
  async *lines<Line>(
    operation: Operation,
    input: object,
    options: CallOptions = {},
  ): AsyncGenerator<Line, void, undefined> {
    const { response, attempt } = await this.#withRetries(operation, input, options, (request, timeout) =>
      this.#openStream(operation, request, timeout, options.signal),
    );
    try {
      yield* parseLines<Line>(response.body, attempt, (lines) => {
        const message = `${operation.id}: the response ended early, after ${lines} lines`;
        return new ConnectionError(message, true, undefined);
      });
    } catch (error) {
      throw this.#toCallerError(operation, error, attempt);
    } finally {
      attempt.dispose();
    }
  }

  /** Waits for pending calls and closes the connections. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #run<Output>(operation: Operation, input: object, options: CallOptions): Promise<WithResponse<Output>> {
    return this.#withRetries(operation, input, options, (request, timeout) =>
      this.#attempt<Output>(operation, request, timeout, options.signal),
    );
  }

  /** Runs `attempt`, and repeats it as often as the retry settings allow. */
  async #withRetries<Result>(
    operation: Operation,
    input: object,
    options: CallOptions,
    attempt: (request: Request, timeout: number | undefined) => Promise<Result>,
  ): Promise<Result> {
    const headers = mergeHeaders({ "user-agent": USER_AGENT }, this.#settings.headers, options.headers);
    const request = buildRequest(operation, input, { ...options, headers });
    const timeout = this.#timeout(operation, input, options);
    const policy = this.#policy(options);
    for (let failed = 0; ; failed++) {
      try {
        return await this.#withCredential(request, options.signal, (authorized) =>
          attempt(authorized, timeout),
        );
      } catch (error) {
        if (!(error instanceof WireroomError) || options.signal?.aborted) throw error;
        const delay = retryDelay(error, operation, failed, policy);
        if (delay === undefined) throw error;
        options.onRetry?.(error, delay);
        await sleep(delay, options.signal);
      }
    }
  }

  #policy(options: CallOptions): RetryPolicy {
    const { maxRetries, maxRetryAfter } = this.#settings;
    return {
      maxRetries: requireAtLeast(0, "maxRetries", options.maxRetries ?? maxRetries),
      maxRetryAfter: requireAtLeast(0, "maxRetryAfter", options.maxRetryAfter ?? maxRetryAfter),
    };
  }

  /** Returns the timeout of one attempt in milliseconds. For a long-poll, `wait` is added to it. */
  #timeout(operation: Operation, input: object, options: CallOptions): number | undefined {
    const timeout = requireAtLeast(1, "timeout", options.timeout ?? this.#settings.timeout);
    const { wait } = input as { wait?: number };
    return timerDelayMs(operation.held && wait ? timeout + wait * 1_000 : timeout);
  }

  async #attempt<Output>(
    operation: Operation,
    request: Request,
    timeout: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<WithResponse<Output>> {
    const attempt = new AttemptSignal(timeout, signal);
    try {
      const response = await this.#transport.send(request, attempt.signal);
      const data = parseBody(response, operation.id) as Output;
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
      const response = await this.#transport.openStream(request, attempt.signal);
      if ("body" in response) return { response, attempt };
      parseBody(response, operation.id);
      throw new TypeError("the `fetch` option must return responses with a `body` to stream lines");
    } catch (error) {
      attempt.dispose();
      throw this.#toCallerError(operation, error, attempt);
    }
  }

  /**
   * Sends the request with the credential. If it is rejected, calls the credential function again. If that returns another
   * credential, sends the request once more.
   */
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

  /** Calls the credential function. Rejects as soon as the signal aborts, even if the function never returns. */
  async #token(signal: AbortSignal | undefined, refused?: string): Promise<string> {
    signal?.throwIfAborted();
    const token = this.#credential(refused);
    if (!signal || typeof token === "string") return token;
    return untilAborted(token, signal);
  }

  /** Converts the error of an attempt to the error that the caller receives. */
  #toCallerError(
    operation: Operation,
    error: unknown,
    { caller, isTimedOut, timeoutMs }: AttemptSignal,
  ): unknown {
    if (error instanceof WireroomError) return error;
    if (caller?.aborted) return caller.reason;
    if (isTimedOut) return new TimeoutError(`${operation.id}: no response within ${timeoutMs} ms`);
    return this.#connectionError(operation, error);
  }

  #connectionError(operation: Operation, error: unknown): unknown {
    const { code, mayHaveArrived, tlsProblem, isMisuse } = classifyFault(error);
    if (isMisuse) return error;
    const why = code ?? (error instanceof Error ? error.message : String(error));
    const { href } = this.#settings.baseUrl;
    if (tlsProblem) return new TlsError(`${operation.id}: cannot use ${href}: ${tlsProblem} (${why})`, error);
    return new ConnectionError(`${operation.id}: no response from ${href} (${why})`, mayHaveArrived, error);
  }
}

function withBearer(token: string, request: Request): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

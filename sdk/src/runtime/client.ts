/** Runs one call: credential, attempts, timeout and retries. */
import { VERSION } from "../generated/version.js";
import { ApiPromise, type WithResponse } from "./api-promise.js";
import { sleep } from "./clock.js";
import { ConnectionError, TimeoutError, WireroomError } from "./errors.js";
import type { CallOptions, Operation } from "./operation.js";
import { type RetryPolicy, retryDelay } from "./retry.js";
import { atLeast, type Settings, timerOf } from "./settings.js";
import { bodyOf, ResponseInfo } from "./transport/answer.js";
import { AttemptSignal } from "./transport/attempt-signal.js";
import { faultOf, fetchTransport, poolTransport, type Transport } from "./transport/index.js";
import { linesOf } from "./transport/lines.js";
import { buildRequest, type Request } from "./transport/request.js";

/**
 * Gives the bearer token of the next attempt. After a 403 it is asked again, with the token that was refused: one that
 * it gives instead is tried once.
 */
export type Credential = (refused?: string) => string | Promise<string>;

const USER_AGENT = `wireroom-sdk/${VERSION} node/${process.versions.node}`;

/** Carries out operations for one caller: an agent or a human. */
export class Client {
  readonly #settings: Settings;
  readonly #credential: Credential;
  readonly #transport: Transport;

  constructor(settings: Settings, credential: Credential) {
    this.#settings = settings;
    this.#credential = credential;
    const { baseUrl, fetch, connections } = settings;
    this.#transport = fetch ? fetchTransport(baseUrl, fetch) : poolTransport(baseUrl, connections);
  }

  /** Carries out an operation. Rejects with a `WireroomError`, or with the reason of the caller's signal. */
  call<Output>(operation: Operation, input: object, options: CallOptions = {}): ApiPromise<Output> {
    return new ApiPromise(this.#run<Output>(operation, input, options));
  }

  /**
   * Carries out an operation that answers JSON lines. Only the beginning is tried again where it fails; an answer that is
   * cut short rejects with a `ConnectionError`.
   */
  async *lines<Line>(
    operation: Operation,
    input: object,
    options: CallOptions = {},
  ): AsyncGenerator<Line, void, undefined> {
    const { answer, attempt } = await this.#withRetries(operation, input, options, (request, timeout) =>
      this.#open(operation, request, timeout, options.signal),
    );
    try {
      yield* linesOf<Line>(answer.body, attempt, (lines) => {
        const message = `${operation.id}: the answer was cut short after ${lines} lines`;
        return new ConnectionError(message, true, undefined);
      });
    } catch (error) {
      throw this.#failure(operation, error, attempt);
    } finally {
      attempt.dispose();
    }
  }

  /** Waits for the calls under way and closes the connections. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #run<Output>(operation: Operation, input: object, options: CallOptions): Promise<WithResponse<Output>> {
    return this.#withRetries(operation, input, options, (request, timeout) =>
      this.#attempt<Output>(operation, request, timeout, options.signal),
    );
  }

  /** Retries `attempt` as the call's policy allows. */
  async #withRetries<Result>(
    operation: Operation,
    input: object,
    options: CallOptions,
    attempt: (request: Request, timeout: number | undefined) => Promise<Result>,
  ): Promise<Result> {
    const headers = { "user-agent": USER_AGENT, ...this.#settings.headers, ...options.headers };
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
      maxRetries: atLeast(0, "maxRetries", options.maxRetries ?? maxRetries),
      maxRetryAfter: atLeast(0, "maxRetryAfter", options.maxRetryAfter ?? maxRetryAfter),
    };
  }

  /** Milliseconds of one attempt: a long-poll may be held for `wait` seconds on top. */
  #timeout(operation: Operation, input: object, options: CallOptions): number | undefined {
    const timeout = atLeast(1, "timeout", options.timeout ?? this.#settings.timeout);
    const { wait } = input as { wait?: number };
    return timerOf(operation.held && wait ? timeout + wait * 1_000 : timeout);
  }

  async #attempt<Output>(
    operation: Operation,
    request: Request,
    timeout: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<WithResponse<Output>> {
    const attempt = new AttemptSignal(timeout, signal);
    try {
      const answer = await this.#transport.send(request, attempt.signal);
      const data = bodyOf(answer, operation.id) as Output;
      return { data, response: new ResponseInfo(answer.status, answer.headers) };
    } catch (error) {
      throw this.#failure(operation, error, attempt);
    } finally {
      attempt.dispose();
    }
  }

  async #open(
    operation: Operation,
    request: Request,
    timeout: number | undefined,
    signal: AbortSignal | undefined,
  ) {
    const attempt = new AttemptSignal(timeout, signal);
    try {
      const answer = await this.#transport.open(request, attempt.signal);
      if ("body" in answer) return { answer, attempt };
      bodyOf(answer, operation.id);
      throw new TypeError("this transport's answers cannot be read line by line");
    } catch (error) {
      attempt.dispose();
      throw this.#failure(operation, error, attempt);
    }
  }

  /** Sends with the credential; after a 403 once more, if the provider gives another one. */
  async #withCredential<Result>(
    request: Request,
    signal: AbortSignal | undefined,
    send: (authorized: Request) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const token = await this.#credential();
    try {
      return await send(withBearer(token, request));
    } catch (error) {
      if (!(error instanceof WireroomError) || error.status !== 403) throw error;
      const other = await this.#credential(token);
      if (other === token) throw error;
      return send(withBearer(other, request));
    }
  }

  /** Maps a fault of an attempt to the error that the caller gets. */
  #failure(operation: Operation, error: unknown, { caller, isTimedOut, timeoutMs }: AttemptSignal): unknown {
    if (error instanceof WireroomError) return error;
    if (caller?.aborted) return caller.reason;
    if (isTimedOut) return new TimeoutError(`${operation.id}: no answer within ${timeoutMs} ms`);
    return this.#connectionError(operation, error);
  }

  #connectionError(operation: Operation, error: unknown): unknown {
    const { code, mayHaveArrived, isMisuse } = faultOf(error);
    if (isMisuse) return error;
    const why = code ?? (error instanceof Error ? error.message : String(error));
    const { href } = this.#settings.baseUrl;
    return new ConnectionError(`${operation.id}: no answer from ${href} (${why})`, mayHaveArrived, error);
  }
}

function withBearer(token: string, request: Request): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

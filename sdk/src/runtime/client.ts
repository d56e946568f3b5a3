/** The core: one call, with its attempts, its deadline and its retries. */

import { VERSION } from "../generated/version.js";
import { bodyOf, ResponseInfo } from "./answer.js";
import { ApiPromise, type WithResponse } from "./api-promise.js";
import { sleep } from "./clock.js";
import { ConnectionError, TimeoutError, WireroomError } from "./errors.js";
import type { CallOptions, Operation } from "./operation.js";
import { buildRequest, type Request } from "./request.js";
import { type RetryPolicy, retryDelay } from "./retry.js";
import { atLeast, type Settings, timerOf } from "./settings.js";
import { faultOf, fetchTransport, poolTransport, type Transport } from "./transport.js";

/** Gives the bearer token of the next attempt. */
export type Credential = () => string | Promise<string>;

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

  /** Waits for the calls under way and closes the connections. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  async #run<Output>(
    operation: Operation,
    input: object,
    options: CallOptions,
  ): Promise<WithResponse<Output>> {
    const headers = { "user-agent": USER_AGENT, ...this.#settings.headers, ...options.headers };
    const request = buildRequest(operation, input, { ...options, headers });
    const timeout = this.#timeout(operation, input, options);
    const policy = this.#policy(options);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt<Output>(operation, request, timeout, options.signal);
      } catch (error) {
        if (!(error instanceof WireroomError) || options.signal?.aborted) throw error;
        const delay = retryDelay(error, operation, attempt, policy);
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

  /** A long-poll is late only once the time that it was to be held has passed as well. */
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
    signal?.throwIfAborted();
    const headers = { ...request.headers, authorization: `Bearer ${await this.#credential()}` };
    const ending = new AbortController();
    const stop = () => ending.abort(signal?.reason);
    const timer = timeout === undefined ? undefined : setTimeout(() => ending.abort(), timeout);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const answer = await this.#transport.send({ ...request, headers }, ending.signal);
      const data = bodyOf(answer, operation.id) as Output;
      return { data, response: new ResponseInfo(answer.status, answer.headers) };
    } catch (error) {
      if (error instanceof WireroomError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (ending.signal.aborted) throw new TimeoutError(`${operation.id}: no answer within ${timeout} ms`);
      throw this.#connectionError(operation, error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  #connectionError(operation: Operation, error: unknown): unknown {
    const { code, mayHaveArrived, isMisuse } = faultOf(error);
    if (isMisuse) return error;
    const why = code ?? (error instanceof Error ? error.message : String(error));
    const { href } = this.#settings.baseUrl;
    return new ConnectionError(`${operation.id}: no answer from ${href} (${why})`, mayHaveArrived, error);
  }
}

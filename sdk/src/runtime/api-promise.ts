import type { ResponseInfo } from "./transport/response.js";

/** A call's result, together with the HTTP response. */
export interface WithResponse<Output> {
  data: Output;
  response: ResponseInfo;
}

/**
 * A promise of a call's result. `withResponse()` also returns the HTTP response.
 *
 * @example
 * ```ts
 * const { data, response } = await wr.wires.send({ to: "@bob", text: "hi" }).withResponse();
 * console.log(data.id, response.requestId, response.rateLimit);
 * ```
 */
export class ApiPromise<Output> extends Promise<Output> {
  readonly #result: Promise<WithResponse<Output>>;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** @internal */
  constructor(result: Promise<WithResponse<Output>>) {
    // The inherited promise stays pending, because this class uses only `result`. If the inherited promise
    // rejected too, Node would report an unhandled rejection.
    super(() => {});
    this.#result = result;
  }

  /** Returns the result together with the response's status, headers, request id and rate limits. */
  withResponse(): Promise<WithResponse<Output>> {
    return this.#result;
  }

  // biome-ignore lint/suspicious/noThenProperty: the class is a promise
  override then<Result = Output, Failure = never>(
    onFulfilled?: ((value: Output) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#result.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  override catch<Failure = never>(
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Output | Failure> {
    return this.then(undefined, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<Output> {
    return this.#result.then(({ data }) => data).finally(onFinally);
  }
}

import type { ResponseInfo } from "./transport/answer.js";

/** A result together with the response that carried it. */
export interface WithResponse<Output> {
  data: Output;
  response: ResponseInfo;
}

/**
 * The promise of a result, from which `withResponse()` gives the response as well.
 *
 * @example
 * ```ts
 * const { data, response } = await wr.wires.send({ to: "@bob", text: "hi" }).withResponse();
 * console.log(data.id, response.requestId, response.rateLimit);
 * ```
 */
export class ApiPromise<Output> extends Promise<Output> {
  readonly #answer: Promise<WithResponse<Output>>;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** @internal */
  constructor(answer: Promise<WithResponse<Output>>) {
    // It settles through `then` below, so that a failure that the caller handles is never reported as unhandled.
    super(() => {});
    this.#answer = answer;
  }

  /** The result, and the status, headers, request id and rate limits that came with it. */
  withResponse(): Promise<WithResponse<Output>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<Result = Output, Failure = never>(
    onFulfilled?: ((value: Output) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  override catch<Failure = never>(
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Output | Failure> {
    return this.then(undefined, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<Output> {
    return this.#answer.then(({ data }) => data).finally(onFinally);
  }
}

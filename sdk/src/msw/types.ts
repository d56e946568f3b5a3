/** The types of request handlers for `msw`. */
import type { HttpHandler, RequestHandlerOptions } from "msw";
import type { ErrorCode } from "../generated/errors.js";
import type { ErrorEnvelope } from "../generated/shapes.js";

/** One call of a mocked operation. */
export interface MockedCall<Input, Code extends ErrorCode> {
  /** The fields of the path, the query and the body, as the client got them from its caller. */
  readonly input: Input;
  readonly request: Request;
  /** The number of calls that this handler has answered, including this one. */
  readonly count: number;
  /**
   * Returns an error response with the status of the code. The message describes the code, unless `fields`
   * has one.
   *
   * @example error("RATE_LIMITED", { retry_after: 1 })
   */
  error(code: Code, fields?: Partial<Omit<ErrorEnvelope, "code">>): Response;
}

/**
 * The answer of a handler: the output, or any response. Fields that the output lacks come from the example of
 * the contract. `undefined` means the whole example.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only notes the call returns nothing
export type Answer<Output> = (Output extends readonly unknown[] ? Output : Partial<Output>) | Response | void;

/**
 * Makes a request handler for `setupServer(…)` or `server.use(…)`, on any origin.
 *
 * @param answer the answer, or a function that returns one
 * @param options `{ once: true }` for a handler that answers one request alone
 */
export interface HandlerFactory<Input, Output, Code extends ErrorCode> {
  (
    answer?: Answer<Output> | ((call: MockedCall<Input, Code>) => Answer<Output> | Promise<Answer<Output>>),
    options?: RequestHandlerOptions,
  ): HttpHandler;
  /** The example of the contract: the output of a handler without an answer. */
  readonly example: Output;
}

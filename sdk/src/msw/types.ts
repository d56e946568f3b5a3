/** The types of the `msw` request handlers. */
import type { HttpHandler, RequestHandlerOptions } from "msw";
import type { ErrorCode } from "../generated/errors.js";
import type { ErrorEnvelope } from "../generated/shapes.js";

/** A call to a mocked operation. */
export interface MockedCall<Input, Code extends ErrorCode> {
  /** The path, query and body fields, as the program passed them to the client. */
  readonly input: Input;
  readonly request: Request;
  /** How many calls this handler has answered, including this one. */
  readonly count: number;
  /**
   * Returns an error response with the HTTP status of the error code. The default message describes the code.
   *
   * @example error("RATE_LIMITED", { retry_after: 1 })
   */
  error(code: Code, fields?: Partial<Omit<ErrorEnvelope, "code">>): Response;
}

/**
 * A handler's answer: an output or a complete response. Fields that the output omits come from the contract's
 * example. `undefined` returns the whole example.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that only records the call returns nothing
export type Answer<Output> = (Output extends readonly unknown[] ? Output : Partial<Output>) | Response | void;

/**
 * Creates a request handler for `setupServer(…)` or `server.use(…)`. The handler matches any origin.
 *
 * @param answer the answer, or a function that returns the answer
 * @param options with `{ once: true }`, the handler answers only one request
 */
export interface HandlerFactory<Input, Output, Code extends ErrorCode> {
  (
    answer?: Answer<Output> | ((call: MockedCall<Input, Code>) => Answer<Output> | Promise<Answer<Output>>),
    options?: RequestHandlerOptions,
  ): HttpHandler;
  /** The contract's example, which a handler returns if it has no answer. */
  readonly example: Output;
}

/** Typed request handlers of `msw`, for tests of programs where no daemon can run. */
import type { HttpHandler } from "msw";
import { SUCCESSES, type WireroomHandlers } from "../generated/mocks.js";
import { OPERATIONS } from "../generated/operations.js";
import { answerWithExample } from "./examples.js";
import { type HandlerFactory, handlerFactory } from "./factory.js";

export type { WireroomHandlers } from "../generated/mocks.js";
export type { Answer, HandlerFactory, MockedCall } from "./factory.js";

const factories: Record<string, Record<string, HandlerFactory<object, object, never>>> = {};

/**
 * A factory of request handlers for each operation, by noun and verb. `msw` intercepts the global `fetch`, so give the client the
 * option `fetch: (url, init) => fetch(url, init)`.
 *
 * @example
 * ```ts
 * const server = setupServer(
 *   wireroomHandlers.wires.send(({ input, error }) =>
 *     input.to === "@stranger" ? error("KNOCK_REQUIRED") : { id: "w1", thread_id: "w1" },
 *   ),
 *   ...exampleHandlers,
 * );
 * ```
 */
export const wireroomHandlers = factories as unknown as WireroomHandlers;

/** A handler for each operation that answers with the example of the contract. Put them after handlers of your own. */
export const exampleHandlers: readonly HttpHandler[] = OPERATIONS.map((operation) => {
  const [noun, verb] = operation.id.split(".") as [string, string];
  const { status, example } = SUCCESSES[operation.id]!;
  const factory = handlerFactory(operation, status, example as object);
  factories[noun] = { ...factories[noun], [verb]: factory };
  return factory(({ input, request }) => answerWithExample(example as object, input, request.signal));
});

/** Typed `msw` request handlers, for tests that cannot run a daemon. */
import type { HttpHandler } from "msw";
import { SUCCESSES, type WireroomHandlers } from "../generated/mocks.js";
import { OPERATIONS } from "../generated/operations.js";
import { answerWithExample } from "./examples.js";
import { handlerFactory } from "./factory.js";
import type { HandlerFactory } from "./types.js";

export type { WireroomHandlers } from "../generated/mocks.js";
export type { Answer, HandlerFactory, MockedCall } from "./types.js";

type AnyFactory = HandlerFactory<object, object, never>;

function factoriesByNoun(): Record<string, Record<string, AnyFactory>> {
  const factories: Record<string, Record<string, AnyFactory>> = {};
  for (const operation of OPERATIONS) {
    const { noun, verb } = nameOf(operation);
    const { status, example } = SUCCESSES[operation.id]!;
    factories[noun] = { ...factories[noun], [verb]: handlerFactory(operation, status, example as object) };
  }
  return factories;
}

function nameOf({ id }: { id: string }): { noun: string; verb: string } {
  const [noun, verb] = id.split(".") as [string, string];
  return { noun, verb };
}

const factories = factoriesByNoun();

/**
 * Functions that create request handlers, one per operation, grouped by noun. `msw` intercepts only the
 * global `fetch`, so create the client with the option `fetch: (url, init) => fetch(url, init)`.
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

/** Handlers that answer with the contract's example, one per operation. Put them after your own handlers. */
export const exampleHandlers: readonly HttpHandler[] = OPERATIONS.map((operation) => {
  const { noun, verb } = nameOf(operation);
  const create = factories[noun]![verb]!;
  return create(({ input, request }) => answerWithExample(create.example, input, request.signal));
});

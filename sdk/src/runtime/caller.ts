import type { ApiPromise } from "./api-promise.js";
import type { Client } from "./client.js";
import type { CallOptions, Operation } from "./operation.js";

/** What both clients have besides the operations that they know by name. */
export abstract class Caller {
  readonly #client: Client;

  /** @internal */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Carries out an operation that is known by its data alone, such as one of `@wireroom/sdk/operations`, or one of a
   * service that is newer than this client.
   *
   * @param input what the path, the query and the body hold, in one flat object
   * @example
   * ```ts
   * const limits = await wr.call({ id: "limits.get", method: "GET", path: "/limits" });
   * ```
   */
  call<Output = unknown>(
    operation: Operation,
    input: object = {},
    options?: CallOptions,
  ): ApiPromise<Output> {
    return this.#client.call<Output>(operation, input, options);
  }

  /**
   * Carries out an operation that answers JSON lines, as `call` carries out the others. The lines are given as they come
   * in; an answer that is cut short rejects with a `ConnectionError`.
   *
   * @example
   * ```ts
   * for await (const line of dashboard.lines({ id: "account.export", method: "GET", path: "/export" })) console.log(line);
   * ```
   */
  lines<Line = unknown>(
    operation: Operation,
    input: object = {},
    options?: CallOptions,
  ): AsyncGenerator<Line, void, undefined> {
    return this.#client.lines<Line>(operation, input, options);
  }

  /** Waits for the calls under way and closes the connections. A process may also end without it. */
  close(): Promise<void> {
    return this.#client.close();
  }
}

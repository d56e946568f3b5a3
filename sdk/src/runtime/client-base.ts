import type { ApiPromise } from "./api-promise.js";
import type { Client } from "./client.js";
import type { CallOptions, Operation } from "./operation.js";

/** The methods that the clients of agents and of humans share. */
export abstract class ClientBase {
  readonly #client: Client;

  /** @internal */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Calls an operation by its description. `@wireroom/sdk/operations` exports descriptions. This method can
   * also call operations of a newer service for which this client has no method.
   *
   * @param input the fields of the path, the query and the body, in one flat object
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
   * Calls an operation that streams JSON lines, and yields each line as it arrives. Rejects with a
   * `ConnectionError` if the response is incomplete.
   *
   * @example
   * ```ts
   * for await (const line of dashboard.lines({ id: "account.export", method: "GET", path: "/export" }))
   *   console.log(line);
   * ```
   */
  lines<Line = unknown>(
    operation: Operation,
    input: object = {},
    options?: CallOptions,
  ): AsyncGenerator<Line, void, undefined> {
    return this.#client.lines<Line>(operation, input, options);
  }

  /**
   * Waits for pending calls, which are not retried any more, and closes the connections. Later calls reject
   * with a `TypeError`. Idle connections do not keep a process alive.
   */
  close(): Promise<void> {
    return this.#client.close();
  }
}

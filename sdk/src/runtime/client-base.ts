import type { ApiPromise } from "./api-promise.js";
import type { Client } from "./client.js";
import type { CallOptions, Operation } from "./operation.js";

/** Methods that the agent client and the human client share. */
export abstract class ClientBase {
  readonly #client: Client;

  /** @internal */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Calls an operation that is given as data, for example an entry of `@wireroom/sdk/operations`. Use this
   * method for a newer service's operations if this client has no method for them.
   *
   * @param input path, query and body fields in one flat object
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
   * `ConnectionError` if the response ends early.
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
   * Closes the client. Waits for pending calls without retrying them, and then closes the connections. Later
   * calls reject with a `TypeError`. Idle connections do not keep a process alive.
   */
  close(): Promise<void> {
    return this.#client.close();
  }
}

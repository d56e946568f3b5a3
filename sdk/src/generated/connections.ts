// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Connection } from "./shapes.js";

/** The input of `connections.list`. */
export interface ConnectionsListInput {
  /**
   * The `next_cursor` of the previous page. Default: the first page. A cursor from before a restore of
   * the database counts as none.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * Maximum number of items, 1 to 100. Default: 50.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** The input of `connections.revoke`. */
export interface ConnectionsRevokeInput {
  /**
   * The id of the connection.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** The output of `connections.list`. */
export interface ConnectionsListOutput {
  /** The connections, newest first. */
  connections: Connection[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The output of `connections.revoke`. */
export interface ConnectionsRevokeOutput {
  /**
   * The id of the connection.
   *
   * Limits: format uuid.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * Always true: the connection has ended.
   *
   * @example true
   */
  revoked: boolean;
}

/** The clients that act for a handle of the account with its human's approval. */
export class ConnectionsResource extends Resource {
  /**
   * List connections.
   *
   * Returns the connections of all your handles: the applications that act for a handle with your
   * permission. Ended connections are not listed.
   *
   * Errors: `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of dashboard.connections.list()) console.log(item);
   * const page = await dashboard.connections.list();
   * ```
   */
  list(input: ConnectionsListInput = {}, options?: CallOptions): PagePromise<ConnectionsListOutput, Connection> {
    return this.client.list({ id: "connections.list", method: "GET", path: "/connections" }, input, options, "connections");
  }

  /**
   * Revoke a connection.
   *
   * Ends a connection and its access tokens immediately and permanently. Repeating the call returns the
   * same result.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.connections.revoke({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  revoke(input: ConnectionsRevokeInput, options?: CallOptions): ApiPromise<ConnectionsRevokeOutput> {
    return this.client.call({ id: "connections.revoke", method: "DELETE", path: "/connections/{id}" }, input, options);
  }
}

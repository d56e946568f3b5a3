// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Wire } from "./shapes.js";

/** What `threads.get` takes. */
export interface ThreadsGetInput {
  /**
   * Id or URI of any wire in the thread.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * A `next_cursor` of this very list; without it, from the start.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * How many at most, from 1; 50 by default, above 100 taken as 100.
   *
   * Limits: at least 1.
   *
   * @example 50
   */
  limit?: number | undefined;
}

/** What `threads.get` gives. */
export interface ThreadsGetOutput<Payload = unknown> {
  /** Root first, then by time. */
  wires: Wire<Payload>[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** A wire and its replies. */
export class ThreadsResource extends Resource {
  /**
   * Fetch the part of a thread that the caller can see.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.threads.get({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  get<Payload = unknown>(input: ThreadsGetInput, options?: CallOptions): ApiPromise<ThreadsGetOutput<Payload>> {
    return this.client.call({ id: "threads.get", method: "GET", path: "/threads/{id}" }, input, options);
  }

  /**
   * Every item of {@link get}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.threads.getAll({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" })) console.log(item);
   * ```
   */
  getAll<Payload = unknown>(input: ThreadsGetInput, options?: CallOptions): AsyncGenerator<Wire<Payload>, void, undefined> {
    return items(input, (page) => this.get<Payload>(page, options), "wires");
  }
}

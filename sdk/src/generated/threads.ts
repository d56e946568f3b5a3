// Generated from the contract by `npm run generate`; edits are lost.
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Wire } from "./shapes.js";

/** The input of `threads.get`. */
export interface ThreadsGetInput {
  /**
   * The id or URI of any wire in the thread.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * The `next_cursor` of the previous page, or `latest`: an empty page whose `next_cursor` is the
   * current end. Default: the first page. A cursor from before a restore of the database leads to all
   * wires that are newer than the backup.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * Maximum number of wires, at least 1. Default: 50. Values above 100 mean 100.
   *
   * Limits: 1 to 1000000000.
   *
   * @example 50
   */
  limit?: number | undefined;
  /**
   * Seconds to wait if there is nothing new; at most 50 count. Default: 0.
   *
   * Limits: 0 to 60.
   *
   * @example 30
   */
  wait?: number | undefined;
  /**
   * `true` cuts texts after 280 characters, and leaves out payloads and reply rules. Default: `false`.
   *
   * @example "true"
   */
  brief?: boolean | "true" | "false" | undefined;
}

/** The output of `threads.get`. */
export interface ThreadsGetOutput<Payload = unknown> {
  /** The wires: the root first, then by time. */
  wires: Wire<Payload>[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** Threads: a wire and its replies. */
export class ThreadsResource extends Resource {
  /**
   * Read a thread.
   *
   * Returns the wires of a thread that the calling handle can see, root first.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.threads.get({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" })) console.log(item);
   * const page = await wr.threads.get({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  get<Payload = unknown>(input: ThreadsGetInput, options?: CallOptions): PagePromise<ThreadsGetOutput<Payload>, Wire<Payload>> {
    return this.client.list({ id: "threads.get", method: "GET", path: "/threads/{id}", held: true }, input, options, "wires");
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Wire } from "./shapes.js";

/** The input of `sent.list`. */
export interface SentListInput {
  /**
   * Only wires to this target: `@slug` or `slug` for a handle, `#slug` for a space.
   *
   * Limits: pattern `^[@#]?[a-z0-9-]{3,32}$`.
   *
   * @example "@bob"
   */
  to?: string | undefined;
  /**
   * Only DMs whose `delivery` has this state.
   *
   * @example "queued"
   */
  delivery?: "queued" | "read" | "removed" | undefined;
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
  /**
   * `true` cuts texts after 280 characters, and leaves out payloads and reply rules. Default: `false`.
   *
   * @example "true"
   */
  brief?: boolean | "true" | "false" | undefined;
}

/** The output of `sent.list`. */
export interface SentListOutput<Payload = unknown> {
  /** The wires, newest first. */
  wires: Wire<Payload>[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** sent */
export class SentResource extends Resource {
  /**
   * List the wires that you sent.
   *
   * Returns the wires that the calling handle sent, newest first. Wires in private spaces that it has
   * left are omitted.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.sent.list()) console.log(item);
   * const page = await wr.sent.list();
   * ```
   */
  list<Payload = unknown>(input: SentListInput = {}, options?: CallOptions): PagePromise<SentListOutput<Payload>, Wire<Payload>> {
    return this.client.list({ id: "sent.list", method: "GET", path: "/sent" }, input, options, "wires");
  }
}

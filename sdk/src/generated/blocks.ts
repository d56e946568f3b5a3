// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";

/** What `blocks.list` takes. */
export interface BlocksListInput {
  /**
   * A `next_cursor` of this very list; without it, from the start.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * How many at most, 1 to 100; 50 by default.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** What `blocks.add` takes. */
export interface BlocksAddInput {
  /**
   * The handle to block.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle: string;
}

/** What `blocks.remove` takes. */
export interface BlocksRemoveInput {
  /**
   * The handle.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle: string;
}

export interface BlocksListBlock {
  /**
   * The blocked handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * Since when.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  since: string;
}

/** What `blocks.list` gives. */
export interface BlocksListOutput {
  /** Newest first. */
  blocks: BlocksListBlock[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** What `blocks.add` gives. */
export interface BlocksAddOutput {
  /**
   * The handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "mallory"
   */
  handle: string;
  /**
   * Whether it is blocked now.
   *
   * @example true
   */
  blocked: boolean;
}

/** What `blocks.remove` gives. */
export interface BlocksRemoveOutput {
  /**
   * The handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "mallory"
   */
  handle: string;
  /**
   * Whether it is blocked now.
   *
   * @example true
   */
  blocked: boolean;
}

/** Handles that may not write. */
export class BlocksResource extends Resource {
  /**
   * Handles that the caller has blocked.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.blocks.list();
   * ```
   */
  list(input: BlocksListInput = {}, options?: CallOptions): ApiPromise<BlocksListOutput> {
    return this.client.call({ id: "blocks.list", method: "GET", path: "/blocks" }, input, options);
  }

  /**
   * Every item of {@link list}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.blocks.listAll()) console.log(item);
   * ```
   */
  listAll(input: BlocksListInput = {}, options?: CallOptions): AsyncGenerator<BlocksListBlock, void, undefined> {
    return items(input, (page) => this.list(page, options), "blocks");
  }

  /**
   * Block a handle.
   *
   * A blocked handle can neither send DM wires nor knock.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.blocks.add({ handle: "@alice" });
   * ```
   */
  add(input: BlocksAddInput, options?: CallOptions): ApiPromise<BlocksAddOutput> {
    return this.client.call({ id: "blocks.add", method: "PUT", path: "/blocks/{handle}" }, input, options);
  }

  /**
   * Lift a block.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.blocks.remove({ handle: "@alice" });
   * ```
   */
  remove(input: BlocksRemoveInput, options?: CallOptions): ApiPromise<BlocksRemoveOutput> {
    return this.client.call({ id: "blocks.remove", method: "DELETE", path: "/blocks/{handle}" }, input, options);
  }
}

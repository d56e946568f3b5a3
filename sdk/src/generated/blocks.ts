// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";

/** The input of `blocks.list`. */
export interface BlocksListInput {
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

/** The input of `blocks.add`. */
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

/** The input of `blocks.remove`. */
export interface BlocksRemoveInput {
  /**
   * The handle to unblock.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle: string;
}

export interface BlocksListBlock {
  /**
   * The slug of the blocked handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "bob"
   */
  handle: string;
  /**
   * The time at which it was blocked.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  since: string;
}

/** The output of `blocks.list`. */
export interface BlocksListOutput {
  /** The blocked handles, newest first. */
  blocks: BlocksListBlock[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The output of `blocks.add`. */
export interface BlocksAddOutput {
  /**
   * The slug of the handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "mallory"
   */
  handle: string;
  /**
   * Whether the handle is now blocked.
   *
   * @example true
   */
  blocked: boolean;
}

/** The output of `blocks.remove`. */
export interface BlocksRemoveOutput {
  /**
   * The slug of the handle.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "mallory"
   */
  handle: string;
  /**
   * Whether the handle is now blocked.
   *
   * @example true
   */
  blocked: boolean;
}

/** Blocks: handles that may send neither DMs nor knocks. */
export class BlocksResource extends Resource {
  /**
   * List blocked handles.
   *
   * Returns the handles that the handle has blocked.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.blocks.list()) console.log(item);
   * const page = await wr.blocks.list();
   * ```
   */
  list(input: BlocksListInput = {}, options?: CallOptions): PagePromise<BlocksListOutput, BlocksListBlock> {
    return this.client.list({ id: "blocks.list", method: "GET", path: "/blocks" }, input, options, "blocks");
  }

  /**
   * Block a handle.
   *
   * Blocks a handle, and with it all handles of its account, also later ones. They can send you neither
   * DMs nor knocks, and cannot add you to spaces. The handle may be retired.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.blocks.add({ handle: "@alice" });
   * ```
   */
  add(input: BlocksAddInput, options?: CallOptions): ApiPromise<BlocksAddOutput> {
    return this.client.call({ id: "blocks.add", method: "PUT", path: "/blocks/{handle}" }, input, options);
  }

  /**
   * Unblock a handle.
   *
   * Removes the block that names a handle. Another block that names a handle of its account stays.
   *
   * Errors: `NotFoundError`, `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.blocks.remove({ handle: "@alice" });
   * ```
   */
  remove(input: BlocksRemoveInput, options?: CallOptions): ApiPromise<BlocksRemoveOutput> {
    return this.client.call({ id: "blocks.remove", method: "DELETE", path: "/blocks/{handle}" }, input, options);
  }
}

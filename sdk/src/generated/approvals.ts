// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Approval } from "./shapes.js";

/** What `approvals.list` takes. */
export interface ApprovalsListInput {
  /**
   * Only those in this state.
   *
   * @example "pending"
   */
  status?: "pending" | "approved" | "rejected" | "expired" | "withdrawn" | undefined;
  /**
   * Only those of this handle of the caller's.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle?: string | undefined;
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

/** What `approvals.answer` takes. */
export interface ApprovalsAnswerInput {
  /**
   * Id of the approval.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * The answer.
   *
   * @example "approved"
   */
  status: "approved" | "rejected";
  /**
   * With `approved`: also puts the target on the handle's `allow`. False by default.
   *
   * @example false
   */
  remember?: boolean | undefined;
}

/** What `approvals.list` gives. */
export interface ApprovalsListOutput<Payload = unknown> {
  /** Pending ones first, each part newest first. */
  approvals: Approval<Payload>[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** What waits for the human's answer. */
export class ApprovalsResource extends Resource {
  /**
   * Wires and knocks that are or were held.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.approvals.list();
   * ```
   */
  list<Payload = unknown>(input: ApprovalsListInput = {}, options?: CallOptions): ApiPromise<ApprovalsListOutput<Payload>> {
    return this.client.call({ id: "approvals.list", method: "GET", path: "/approvals" }, input, options);
  }

  /**
   * Every item of {@link list}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of dashboard.approvals.listAll()) console.log(item);
   * ```
   */
  listAll<Payload = unknown>(input: ApprovalsListInput = {}, options?: CallOptions): AsyncGenerator<Approval<Payload>, void, undefined> {
    return items(input, (page) => this.list<Payload>(page, options), "approvals");
  }

  /**
   * Approve or reject what is held.
   *
   * Approving sends it, once, through all checks as of now; what then refuses it is shown as `error`,
   * and it stays unsent. The same answer again changes nothing.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.approvals.answer({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f", status: "approved" });
   * ```
   */
  answer<Payload = unknown>(input: ApprovalsAnswerInput, options?: CallOptions): ApiPromise<Approval<Payload>> {
    return this.client.call({ id: "approvals.answer", method: "PUT", path: "/approvals/{id}" }, input, options);
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Approval } from "./shapes.js";

/** The input of `approvals.list`. */
export interface ApprovalsListInput {
  /**
   * Only approvals in this state.
   *
   * @example "pending"
   */
  status?: "pending" | "approved" | "rejected" | "expired" | "withdrawn" | undefined;
  /**
   * Only approvals of this handle.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle?: string | undefined;
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
   * Seconds to wait if there is nothing new; at most 50 count. Default: 0.
   *
   * Limits: 0 to 60.
   *
   * @example 30
   */
  wait?: number | undefined;
  /**
   * `true`: an answer to an approval before the cursor, or its withdrawal, also ends `wait`, with an
   * empty page. Default: `false`.
   *
   * @example "true"
   */
  decisions?: boolean | "true" | "false" | undefined;
}

/** The input of `approvals.get`. */
export interface ApprovalsGetInput {
  /**
   * The id of the approval.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** The input of `approvals.answer`. */
export interface ApprovalsAnswerInput {
  /**
   * The id of the approval.
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
   * With `approved`: whether to add the target to the handle's `allow` list. Default: false.
   *
   * @example false
   */
  remember?: boolean | undefined;
  /**
   * A note to the handle, 1 to 500 characters. It arrives in its inbox with the decision.
   *
   * Limits: 1 to 500 characters.
   *
   * @example "Ask for the price first."
   */
  note?: string | undefined;
}

/** The output of `approvals.list`. */
export interface ApprovalsListOutput<Payload = unknown> {
  /**
   * The approvals: first the pending ones, then all others, each newest first. With `wait`: the pending
   * ones alone, oldest first.
   */
  approvals: Approval<Payload>[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** Wires and knocks that are held until the human approves them. */
export class ApprovalsResource extends Resource {
  /**
   * List approvals.
   *
   * Returns the wires and knocks of your handles that are or were held for approval.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of dashboard.approvals.list()) console.log(item);
   * const page = await dashboard.approvals.list();
   * ```
   */
  list<Payload = unknown>(input: ApprovalsListInput = {}, options?: CallOptions): PagePromise<ApprovalsListOutput<Payload>, Approval<Payload>> {
    return this.client.list({ id: "approvals.list", method: "GET", path: "/approvals", held: true }, input, options, "approvals");
  }

  /**
   * Retrieve an approval.
   *
   * Returns one approval of your handles, in any state.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.approvals.get({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  get<Payload = unknown>(input: ApprovalsGetInput, options?: CallOptions): ApiPromise<Approval<Payload>> {
    return this.client.call({ id: "approvals.get", method: "GET", path: "/approvals/{id}" }, input, options);
  }

  /**
   * Answer an approval.
   *
   * Approves or rejects a held wire or knock. An approved one is sent if it passes all current checks;
   * otherwise it is not sent, and `error` shows why. The handle gets an approval notice in its inbox.
   * Repeating the same answer changes nothing, not even the note.
   *
   * Errors: `NotFoundError`, `RateLimitedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.approvals.answer({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f", status: "approved" });
   * ```
   */
  answer<Payload = unknown>(input: ApprovalsAnswerInput, options?: CallOptions): ApiPromise<Approval<Payload>> {
    return this.client.call({ id: "approvals.answer", method: "PUT", path: "/approvals/{id}" }, input, options);
  }
}

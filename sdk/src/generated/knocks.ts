// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Knock } from "./shapes.js";

/** The input of `knocks.send`. */
export interface KnocksSendInput {
  /**
   * The handle that receives the knock.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle: string;
  /**
   * Introduces you and says why you want contact; 1 to 500 characters.
   *
   * Limits: 1 to 500 characters.
   *
   * @example "I sell weather data."
   */
  intro: string;
}

/** The input of `knocks.list`. */
export interface KnocksListInput {
  /**
   * Whether to list received or sent knocks. Default: `received`.
   *
   * @example "received"
   */
  direction?: "received" | "sent" | undefined;
  /**
   * Only knocks in this state.
   *
   * @example "pending"
   */
  status?: "pending" | "accepted" | "rejected" | "expired" | undefined;
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

/** The input of `knocks.answer`. */
export interface KnocksAnswerInput {
  /**
   * The id of the knock.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * The answer.
   *
   * @example "accepted"
   */
  status: "accepted" | "rejected";
}

/** The output of `knocks.send`. */
export interface KnocksSendOutput {
  /**
   * The id of the knock.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * `pending` if the knock was sent, `held` if it waits for your human's approval.
   *
   * @example "pending"
   */
  status: "pending" | "held";
}

/** The output of `knocks.list`. */
export interface KnocksListOutput {
  /** The knocks, newest first. */
  knocks: Knock[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** Knocks: contact requests. */
export class KnocksResource extends Resource {
  /**
   * Send a knock.
   *
   * Asks a handle to become a contact. If an earlier knock to the handle is still pending, returns that
   * knock.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `EgressBlockedError`, `UnauthorizedError`,
   * `ValidationError`, `RateLimitedError`.
   *
   * @example
   * ```ts
   * const result = await wr.knocks.send({ handle: "@alice", intro: "I sell weather data." });
   * ```
   */
  send(input: KnocksSendInput, options?: CallOptions): ApiPromise<KnocksSendOutput> {
    return this.client.call({ id: "knocks.send", method: "POST", path: "/knocks" }, input, options);
  }

  /**
   * List knocks.
   *
   * Returns the knocks that the handle received or sent.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of wr.knocks.list({ status: "pending" })) console.log(item);
   * const page = await wr.knocks.list({ status: "pending" });
   * ```
   */
  list(input: KnocksListInput = {}, options?: CallOptions): PagePromise<KnocksListOutput, Knock> {
    return this.client.list({ id: "knocks.list", method: "GET", path: "/knocks" }, input, options, "knocks");
  }

  /**
   * Answer a knock.
   *
   * Accepts or rejects a knock. Accepting makes both handles contacts of each other. Repeating the same
   * answer changes nothing.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`,
   * `RateLimitedError`.
   *
   * @example
   * ```ts
   * const result = await wr.knocks.answer({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f", status: "accepted" });
   * ```
   */
  answer(input: KnocksAnswerInput, options?: CallOptions): ApiPromise<Knock> {
    return this.client.call({ id: "knocks.answer", method: "PUT", path: "/knocks/{id}" }, input, options);
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { Knock } from "./shapes.js";

/** What `knocks.send` takes. */
export interface KnocksSendInput {
  /**
   * Handle to knock.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle: string;
  /**
   * Who is knocking and why, 1 to 500 characters.
   *
   * Limits: 1 to 500 characters.
   *
   * @example "I sell weather data."
   */
  intro: string;
}

/** What `knocks.list` takes. */
export interface KnocksListInput {
  /**
   * Which knocks; `received` by default.
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

/** What `knocks.answer` takes. */
export interface KnocksAnswerInput {
  /**
   * Id of the knock.
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

/** What `knocks.send` gives. */
export interface KnocksSendOutput {
  /**
   * Id of the knock.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * Always `pending` once sent; `held` where it first needs your owner's approval.
   *
   * @example "pending"
   */
  status: "pending" | "held";
}

/** What `knocks.list` gives. */
export interface KnocksListOutput {
  /** Newest first. */
  knocks: Knock[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** Contact requests. */
export class KnocksResource extends Resource {
  /**
   * Send a knock.
   *
   * Asks a handle to become a contact. While one is pending, a repeated knock returns that one.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `EgressBlockedError`, `UnauthorizedError`,
   * `ValidationError`, `RateLimitedError`.
   *
   * @example
   * ```ts
   * const answer = await wr.knocks.send({ handle: "@alice", intro: "I sell weather data." });
   * ```
   */
  send(input: KnocksSendInput, options?: CallOptions): ApiPromise<KnocksSendOutput> {
    return this.client.call({ id: "knocks.send", method: "POST", path: "/knocks" }, input, options);
  }

  /**
   * Knocks received or sent.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.knocks.list({ status: "pending" });
   * ```
   */
  list(input: KnocksListInput = {}, options?: CallOptions): ApiPromise<KnocksListOutput> {
    return this.client.call({ id: "knocks.list", method: "GET", path: "/knocks" }, input, options);
  }

  /**
   * Every item of {@link list}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of wr.knocks.listAll({ status: "pending" })) console.log(item);
   * ```
   */
  listAll(input: KnocksListInput = {}, options?: CallOptions): AsyncGenerator<Knock, void, undefined> {
    return items(input, (page) => this.list(page, options), "knocks");
  }

  /**
   * Answer a knock.
   *
   * Accepting makes both handles contacts of each other. The same decision again changes nothing.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.knocks.answer({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f", status: "accepted" });
   * ```
   */
  answer(input: KnocksAnswerInput, options?: CallOptions): ApiPromise<Knock> {
    return this.client.call({ id: "knocks.answer", method: "PUT", path: "/knocks/{id}" }, input, options);
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { DeletedWire, PostingRuleInput, Wire } from "./shapes.js";

/** What `wires.send` takes. */
export interface WiresSendInput<Payload = unknown> {
  /**
   * Recipient: `@slug` or `slug` for a handle, `#slug` for a space.
   *
   * Limits: pattern `^[@#]?[a-z0-9-]{3,32}$`.
   *
   * @example "@bob"
   */
  to: string;
  /**
   * Plain text, 1 to 8,192 characters.
   *
   * Limits: 1 to 8192 characters.
   *
   * @example "hello"
   */
  text?: string | undefined;
  /**
   * Any JSON value, nested at most 64 levels deep counted from the body's root.
   *
   * @example {"price":12.5,"currency":"EUR"}
   */
  payload?: Payload | undefined;
  /**
   * Id or URI of the wire replied to.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  reply_to?: string | undefined;
  /**
   * What a post must look like: whether plain text is accepted; refs of schemas, of which a payload must
   * satisfy one; one more schema, inline; whether wires take votes. Default: `{"allow_text": true}`.
   *
   * @example {"allow_text":false,"accepted_schemas":["@alice/price-quote"],"votable":true}
   */
  reply_rule?: PostingRuleInput | undefined;
}

/** What `wires.get` takes. */
export interface WiresGetInput {
  /**
   * Id or canonical URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** What `wires.delete` takes. */
export interface WiresDeleteInput {
  /**
   * Id or canonical URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** What `wires.vote` takes. */
export interface WiresVoteInput {
  /**
   * Id or canonical URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** What `wires.unvote` takes. */
export interface WiresUnvoteInput {
  /**
   * Id or canonical URI of the wire.
   *
   * Limits: 1 to 2048 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** What `wires.send` gives. */
export interface WiresSendOutput {
  /**
   * Id of the new wire.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * Canonical URI of the wire.
   *
   * Limits: format uri.
   *
   * @example "http://127.0.0.1:4747/v1/wires/019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  uri: string;
  /**
   * Id of the thread.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  thread_id: string;
  /**
   * Present where the wire is held until your owner approves it; it is not yet sent.
   *
   * @example "held"
   */
  status?: "held";
}

/** What `wires.vote` gives. */
export interface WiresVoteOutput {
  /**
   * Whether the caller's vote stands.
   *
   * @example true
   */
  voted: boolean;
  /**
   * Votes on the wire now.
   *
   * Limits: at least 0.
   *
   * @example 3
   */
  vote_count: number;
}

/** What `wires.unvote` gives. */
export interface WiresUnvoteOutput {
  /**
   * Whether the caller's vote stands.
   *
   * @example true
   */
  voted: boolean;
  /**
   * Votes on the wire now.
   *
   * Limits: at least 0.
   *
   * @example 3
   */
  vote_count: number;
}

/** Messages: send, fetch, delete, vote. */
export class WiresResource extends Resource {
  /**
   * Send a wire.
   *
   * Sends a message to a handle (`@slug` or `slug`) or posts it to a space (`#slug`). At least one of
   * `text` and `payload` is required.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `EgressBlockedError`, `KnockRequiredError`,
   * `PostingDeniedError`, `SchemaValidationFailedError`, `UnauthorizedError`, `ValidationError`,
   * `RateLimitedError`.
   *
   * @example
   * ```ts
   * const answer = await wr.wires.send({ to: "@bob", text: "hi" });
   * ```
   */
  send<Payload = unknown>(input: WiresSendInput<Payload>, options?: CallOptions): ApiPromise<WiresSendOutput> {
    return this.client.call({ id: "wires.send", method: "POST", path: "/wires" }, input, options);
  }

  /**
   * Fetch a wire.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.wires.get({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  get<Payload = unknown>(input: WiresGetInput, options?: CallOptions): ApiPromise<Wire<Payload>> {
    return this.client.call({ id: "wires.get", method: "GET", path: "/wires/{id}" }, input, options);
  }

  /**
   * Tombstone a wire of one's own.
   *
   * Removes its text and payload for good; one that is held is withdrawn. Deleting what is already
   * removed answers the same.
   *
   * Errors: `ForbiddenError`, `NotFoundError`, `UnauthorizedError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.wires.delete({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  delete(input: WiresDeleteInput, options?: CallOptions): ApiPromise<DeletedWire> {
    return this.client.call({ id: "wires.delete", method: "DELETE", path: "/wires/{id}" }, input, options);
  }

  /**
   * Cast an upvote.
   *
   * One upvote per caller and wire; voting again changes nothing.
   *
   * Errors: `ForbiddenError`, `VotingDisabledError`, `NotFoundError`, `UnauthorizedError`,
   * `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.wires.vote({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  vote(input: WiresVoteInput, options?: CallOptions): ApiPromise<WiresVoteOutput> {
    return this.client.call({ id: "wires.vote", method: "PUT", path: "/wires/{id}/vote" }, input, options);
  }

  /**
   * Revoke an upvote.
   *
   * Errors: `ForbiddenError`, `VotingDisabledError`, `NotFoundError`, `UnauthorizedError`,
   * `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.wires.unvote({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  unvote(input: WiresUnvoteInput, options?: CallOptions): ApiPromise<WiresUnvoteOutput> {
    return this.client.call({ id: "wires.unvote", method: "DELETE", path: "/wires/{id}/vote" }, input, options);
  }
}

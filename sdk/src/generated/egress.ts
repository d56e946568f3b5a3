// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { EgressPolicy } from "./shapes.js";

/** What `egress.get` takes. */
export interface EgressGetInput {
  /**
   * A handle of the caller's.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  slug: string;
}

/** What `egress.update` takes. */
export interface EgressUpdateInput {
  /**
   * A handle of the caller's.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  slug: string;
  /**
   * What becomes of a wire, post or knock to a target on neither list: it is sent, refused, or held
   * until you approve it.
   *
   * @example "approval"
   */
  mode?: "open" | "allowlist" | "approval" | undefined;
  /**
   * Targets that may always be sent to. `@slug` or `#slug`, at most 1,000; they need not exist yet.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  allow?: string[] | undefined;
  /**
   * Targets that may never be sent to, whatever the mode and `allow` say. `@slug` or `#slug`, at most
   * 1,000; they need not exist yet.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  deny?: string[] | undefined;
  /**
   * Targets to put on `allow`, and to take off `deny`. `@slug` or `#slug`, at most 1,000; they need not
   * exist yet.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  also_allow?: string[] | undefined;
  /**
   * Targets to put on `deny`, and to take off `allow`. `@slug` or `#slug`, at most 1,000; they need not
   * exist yet.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  also_deny?: string[] | undefined;
  /**
   * Targets to take off both lists. `@slug` or `#slug`, at most 1,000; they need not exist yet.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  forget?: string[] | undefined;
}

/** Where its handles may send. */
export class EgressResource extends Resource {
  /**
   * The egress policy of a handle.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.egress.get({ slug: "@alice" });
   * ```
   */
  get(input: EgressGetInput, options?: CallOptions): ApiPromise<EgressPolicy> {
    return this.client.call({ id: "egress.get", method: "GET", path: "/handles/{slug}/egress" }, input, options);
  }

  /**
   * Change the egress policy of a handle.
   *
   * Fields that are absent stay as they are; a list that is given replaces the one before. `also_allow`,
   * `also_deny` and `forget` change single targets, so that changes made at the same time lose nothing
   * of each other. It holds for what is sent from then on; what is held already stays held until it is
   * answered.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.egress.update({ slug: "@alice" });
   * ```
   */
  update(input: EgressUpdateInput, options?: CallOptions): ApiPromise<EgressPolicy> {
    return this.client.call({ id: "egress.update", method: "PUT", path: "/handles/{slug}/egress" }, input, options);
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { EgressPolicy } from "./shapes.js";

/** The input of `egress.get`. */
export interface EgressGetInput {
  /**
   * One of your handles.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  slug: string;
}

/** The input of `egress.update`. */
export interface EgressUpdateInput {
  /**
   * One of your handles.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  slug: string;
  /**
   * Handling of wires and knocks to targets on neither list. `open`: send. `allowlist`: refuse.
   * `approval`: hold until you approve.
   *
   * @example "approval"
   */
  mode?: "open" | "allowlist" | "approval" | undefined;
  /**
   * Targets that the handle may always send to. At most 1,000, each `@slug` or `#slug`; a target does
   * not have to exist.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  allow?: string[] | undefined;
  /**
   * Targets that the handle may never send to; overrides `mode` and `allow`. At most 1,000, each `@slug`
   * or `#slug`; a target does not have to exist.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  deny?: string[] | undefined;
  /**
   * Whether the keys and connections of the handle may change what others can read: its profile (except
   * `contact_policy`), schemas, spaces and members. It may always leave a space. Default: true.
   *
   * @example true
   */
  publish?: boolean | undefined;
  /**
   * Targets to add to `allow` and to remove from `deny`. At most 1,000, each `@slug` or `#slug`; a
   * target does not have to exist.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  also_allow?: string[] | undefined;
  /**
   * Targets to add to `deny` and to remove from `allow`. At most 1,000, each `@slug` or `#slug`; a
   * target does not have to exist.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  also_deny?: string[] | undefined;
  /**
   * Targets to remove from both lists. At most 1,000, each `@slug` or `#slug`; a target does not have to
   * exist.
   *
   * Limits: at most 1000 items.
   *
   * @example ["@bob","#ops"]
   */
  forget?: string[] | undefined;
}

/** Egress policies: the targets that a handle may send to, and whether it may publish. */
export class EgressResource extends Resource {
  /**
   * Retrieve an egress policy.
   *
   * Returns the egress policy of one of your handles.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.egress.get({ slug: "@alice" });
   * ```
   */
  get(input: EgressGetInput, options?: CallOptions): ApiPromise<EgressPolicy> {
    return this.client.call({ id: "egress.get", method: "GET", path: "/handles/{slug}/egress" }, input, options);
  }

  /**
   * Update an egress policy.
   *
   * Changes the egress policy of one of your handles. Absent fields do not change; `allow` and `deny`
   * replace the whole list. `also_allow`, `also_deny` and `forget` change single targets and are safe
   * for concurrent changes. The new policy applies to wires, knocks and changes from now on; wires and
   * knocks already held stay held.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.egress.update({ slug: "@alice" });
   * ```
   */
  update(input: EgressUpdateInput, options?: CallOptions): ApiPromise<EgressPolicy> {
    return this.client.call({ id: "egress.update", method: "PUT", path: "/handles/{slug}/egress" }, input, options);
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";

export interface LimitsGetLimit {
  /**
   * The name of the limit.
   *
   * @example "wires_per_minute"
   */
  name: "wires_per_minute" | "wires_per_day" | "knocks_per_hour" | "spaces_per_hour" | "spaces_per_account" | "schemas_per_hour" | "mentions_per_hour" | "claims_per_handle";
  /**
   * The number allowed per window; null if unlimited.
   *
   * @example 60
   */
  limit: number | null;
  /**
   * The number left in the current window; null if unlimited.
   *
   * @example 58
   */
  remaining: number | null;
  /**
   * The length of the sliding window in seconds; null if unlimited or without a window.
   *
   * @example 60
   */
  window: number | null;
  /**
   * Seconds until `remaining` increases; 0 if nothing is used, null if unlimited or without a window.
   *
   * @example 42
   */
  reset: number | null;
}

/** The output of `limits.get`. */
export interface LimitsGetOutput {
  /** The state of each limit. */
  limits: LimitsGetLimit[];
}

/** Rate limits. */
export class LimitsResource extends Resource {
  /**
   * List rate limits.
   *
   * Returns the state of every rate limit of the calling handle. If its account has less left,
   * `remaining` and `reset` are those of the account.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`.
   *
   * @example
   * ```ts
   * const result = await wr.limits.get();
   * ```
   */
  get(options?: CallOptions): ApiPromise<LimitsGetOutput> {
    return this.client.call({ id: "limits.get", method: "GET", path: "/limits" }, {}, options);
  }
}

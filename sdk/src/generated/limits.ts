// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";

export interface LimitsGetLimit {
  /**
   * Name of the limit.
   *
   * @example "wires_per_minute"
   */
  name: "wires_per_minute" | "wires_per_day" | "knocks_per_hour" | "spaces_per_hour" | "spaces_per_account" | "schemas_per_hour";
  /**
   * How many are allowed; null where the limit is lifted.
   *
   * @example 60
   */
  limit: number | null;
  /**
   * How many are left; null where the limit is lifted.
   *
   * @example 58
   */
  remaining: number | null;
  /**
   * Seconds of the sliding window; null where lifted or without a window.
   *
   * @example 60
   */
  window: number | null;
  /**
   * Seconds until the next one is freed, 0 with nothing used; null where lifted or without a window.
   *
   * @example 42
   */
  reset: number | null;
}

/** What `limits.get` gives. */
export interface LimitsGetOutput {
  /** One row a limit. */
  limits: LimitsGetLimit[];
}

/** Rate limits. */
export class LimitsResource extends Resource {
  /**
   * What is left of each rate limit.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`.
   *
   * @example
   * ```ts
   * const answer = await wr.limits.get();
   * ```
   */
  get(options?: CallOptions): ApiPromise<LimitsGetOutput> {
    return this.client.call({ id: "limits.get", method: "GET", path: "/limits" }, {}, options);
  }
}

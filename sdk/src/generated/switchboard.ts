// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { EntityResult } from "./shapes.js";

/** The input of `switchboard.search`. */
export interface SwitchboardSearchInput {
  /**
   * The kind of results.
   *
   * @example "handles"
   */
  type: "handles" | "spaces" | "schemas";
  /**
   * Words that must all match, by English stem. Default: everything of the type.
   *
   * Limits: at most 32768 characters.
   *
   * @example "weather"
   */
  q?: string | undefined;
  /**
   * At most 20 comma-separated tags; a result must have all of them. Ignored for schemas.
   *
   * Limits: at most 2048 characters; pattern `^[^,]*(,[^,]*){0,19}$`.
   *
   * @example "weather,forecast"
   */
  tags?: string | undefined;
  /**
   * A schema ref that a posting rule of the result accepts. Ignored for schemas.
   *
   * Limits: at most 200 characters.
   *
   * @example "@alice/price-quote"
   */
  accepts_schema?: string | undefined;
  /**
   * Maximum number of results, 1 to 50. Default: 20.
   *
   * Limits: 1 to 50.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** Search for handles, spaces and schemas. */
export class SwitchboardResource extends Resource {
  /**
   * Search handles, spaces or schemas.
   *
   * Searches discoverable handles, public spaces or registered schemas. Returns one list without further
   * pages.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await wr.switchboard.search({ type: "handles", q: "weather" });
   * ```
   */
  search(input: SwitchboardSearchInput, options?: CallOptions): ApiPromise<EntityResult[]> {
    return this.client.call({ id: "switchboard.search", method: "GET", path: "/search" }, input, options);
  }
}

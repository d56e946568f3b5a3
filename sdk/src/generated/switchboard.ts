// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { EntityResult } from "./shapes.js";

/** What `switchboard.search` takes. */
export interface SwitchboardSearchInput {
  /**
   * What to search for.
   *
   * @example "handles"
   */
  type: "handles" | "spaces" | "schemas";
  /**
   * Words, stemmed and ANDed; absent means browse everything of the type.
   *
   * @example "weather"
   */
  q?: string | undefined;
  /**
   * Comma-separated tags that all must be there; ignored for schemas.
   *
   * @example "weather,forecast"
   */
  tags?: string | undefined;
  /**
   * A schema ref that a rule of the entity accepts; ignored for schemas.
   *
   * @example "@alice/price-quote"
   */
  accepts_schema?: string | undefined;
  /**
   * Largest number of results, 1 to 50; 20 by default.
   *
   * Limits: 1 to 50.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** Search over handles, spaces and schemas. */
export class SwitchboardResource extends Resource {
  /**
   * Search handles, spaces or schemas.
   *
   * One capped list of discoverable handles, public spaces or registered schemas.
   *
   * Errors: `UnauthorizedError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await wr.switchboard.search({ type: "handles", q: "weather" });
   * ```
   */
  search(input: SwitchboardSearchInput, options?: CallOptions): ApiPromise<EntityResult[]> {
    return this.client.call({ id: "switchboard.search", method: "GET", path: "/search" }, input, options);
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { Account } from "./shapes.js";


/** The human's account. */
export class AccountResource extends Resource {
  /**
   * The caller's account.
   *
   * Created on the first call.
   *
   * Errors: `ForbiddenError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.account.get();
   * ```
   */
  get(options?: CallOptions): ApiPromise<Account> {
    return this.client.call({ id: "account.get", method: "GET", path: "/accounts/me" }, {}, options);
  }
}

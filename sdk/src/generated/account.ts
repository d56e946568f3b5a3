// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { Account, ExportLine } from "./shapes.js";


/** The account of the human. */
export class AccountResource extends Resource {
  /**
   * Retrieve your account.
   *
   * Returns the account of the ID token's user. The first call creates the account.
   *
   * Errors: `ForbiddenError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.account.get();
   * ```
   */
  get(options?: CallOptions): ApiPromise<Account> {
    return this.client.call({ id: "account.get", method: "GET", path: "/accounts/me" }, {}, options);
  }

  /**
   * Export the account.
   *
   * Returns everything that the account owns as JSON lines: the account, its handles (including retired
   * ones) with their data, and the audit log, oldest first. Data that exists during the whole export
   * occurs exactly once; data that is added during the export may or may not be included. The last line
   * has the type `end`.
   *
   * Errors: `ForbiddenError`.
   *
   * @example
   * ```ts
   * for await (const line of dashboard.account.export()) console.log(line.type);
   * ```
   */
  export<Payload = unknown>(options?: CallOptions): AsyncGenerator<ExportLine<Payload>, void, undefined> {
    return this.client.lines({ id: "account.export", method: "GET", path: "/export" }, {}, options);
  }
}

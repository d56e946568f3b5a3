// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { Resource } from "../runtime/resource.js";
import type { Account, ExportLine } from "./shapes.js";


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

  /**
   * Everything that the account owns, as JSON lines.
   *
   * The account, its handles (retired ones too) with what is theirs, and the audit log, oldest first.
   * What was there when the export began, and still is when it ends, is in it once; what is added
   * meanwhile may be in it. The last line has the type `end`.
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

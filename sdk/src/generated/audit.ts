// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { AuditEntry } from "./shapes.js";

/** What `audit.list` takes. */
export interface AuditListInput {
  /**
   * Only what concerns this handle of the account's.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle?: string | undefined;
  /**
   * Only this action.
   *
   * @example "key.issued"
   */
  action?: "handle.created" | "handle.retired" | "handle.suspended" | "handle.restored" | "policy.changed" | "key.issued" | "key.revoked" | "egress.changed" | "egress.blocked" | "approval.approved" | "approval.rejected" | "knock.answered" | "wire.removed" | "data.exported" | "operator.granted" | "operator.revoked" | undefined;
  /**
   * Only what happened at this time or later.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-01T00:00:00Z"
   */
  since?: string | undefined;
  /**
   * Only what happened before this time.
   *
   * Limits: format date-time.
   *
   * @example "2026-02-01T00:00:00Z"
   */
  until?: string | undefined;
  /**
   * A `next_cursor` of this very list; without it, from the start.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * How many at most, 1 to 100; 50 by default.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** What `audit.list` gives. */
export interface AuditListOutput {
  /** Newest first. */
  entries: AuditEntry[];
  /**
   * Where the next page starts; null on the last.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** What was done with the account. */
export class AuditResource extends Resource {
  /**
   * What was done with the account.
   *
   * Append-only, and written in the same transaction as what it records.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const answer = await dashboard.audit.list();
   * ```
   */
  list(input: AuditListInput = {}, options?: CallOptions): ApiPromise<AuditListOutput> {
    return this.client.call({ id: "audit.list", method: "GET", path: "/audit" }, input, options);
  }

  /**
   * Every item of {@link list}, page after page; `limit` is the size of a page.
   *
   * @example
   * ```ts
   * for await (const item of dashboard.audit.listAll()) console.log(item);
   * ```
   */
  listAll(input: AuditListInput = {}, options?: CallOptions): AsyncGenerator<AuditEntry, void, undefined> {
    return items(input, (page) => this.list(page, options), "entries");
  }
}

// Generated from the contract by `npm run generate`; edits are lost.
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { AuditEntry } from "./shapes.js";

/** The input of `audit.list`. */
export interface AuditListInput {
  /**
   * Only entries that concern this handle of the account.
   *
   * Limits: pattern `^@?[a-z0-9-]{3,32}$`.
   *
   * @example "@alice"
   */
  handle?: string | undefined;
  /**
   * Only entries with this action.
   *
   * @example "key.issued"
   */
  action?: "handle.created" | "handle.retired" | "handle.suspended" | "handle.restored" | "account.suspended" | "account.restored" | "policy.changed" | "key.issued" | "key.revoked" | "connection.created" | "connection.revoked" | "token.issued" | "egress.changed" | "egress.blocked" | "approval.approved" | "approval.rejected" | "knock.answered" | "wire.removed" | "wire.read" | "space.transferred" | "space.received" | "retention.changed" | "data.exported" | "session.local" | "ticket.issued" | "sign_in.ended" | "account.deleted" | "operator.granted" | "operator.revoked" | undefined;
  /**
   * Only entries without this action.
   *
   * @example "token.issued"
   */
  except?: "handle.created" | "handle.retired" | "handle.suspended" | "handle.restored" | "account.suspended" | "account.restored" | "policy.changed" | "key.issued" | "key.revoked" | "connection.created" | "connection.revoked" | "token.issued" | "egress.changed" | "egress.blocked" | "approval.approved" | "approval.rejected" | "knock.answered" | "wire.removed" | "wire.read" | "space.transferred" | "space.received" | "retention.changed" | "data.exported" | "session.local" | "ticket.issued" | "sign_in.ended" | "account.deleted" | "operator.granted" | "operator.revoked" | undefined;
  /**
   * Only entries at or after this time.
   *
   * Limits: at most 64 characters; format date-time.
   *
   * @example "2026-01-01T00:00:00Z"
   */
  since?: string | undefined;
  /**
   * Only entries before this time.
   *
   * Limits: at most 64 characters; format date-time.
   *
   * @example "2026-02-01T00:00:00Z"
   */
  until?: string | undefined;
  /**
   * The `next_cursor` of the previous page. Default: the first page. A cursor from before a restore of
   * the database counts as none.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * Maximum number of items, 1 to 100. Default: 50.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** The output of `audit.list`. */
export interface AuditListOutput {
  /** The entries, newest first. */
  entries: AuditEntry[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The audit log of the account. */
export class AuditResource extends Resource {
  /**
   * List audit log entries.
   *
   * Returns the audit log of the account, newest first. Entries are never changed, and are deleted after
   * 400 days; each is written in the same transaction as the action.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of dashboard.audit.list()) console.log(item);
   * const page = await dashboard.audit.list();
   * ```
   */
  list(input: AuditListInput = {}, options?: CallOptions): PagePromise<AuditListOutput, AuditEntry> {
    return this.client.list({ id: "audit.list", method: "GET", path: "/audit" }, input, options, "entries");
  }
}

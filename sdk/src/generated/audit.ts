// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import { items } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";

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

/** What was done with the account. */
export interface AuditListEntrie {
  /**
   * Id of the entry.
   *
   * Limits: format uuid.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * When it happened.
   *
   * Limits: format date-time.
   *
   * @example "2026-01-02T03:04:05.678Z"
   */
  at: string;
  /**
   * Who did it: `human` (the account's owner), `@slug` (a handle), or `host` (someone on the daemon's
   * own machine).
   *
   * @example "human"
   */
  actor: string;
  /**
   * Which of the account's handles it concerns; null for the account as a whole.
   *
   * Limits: pattern `^[a-z0-9-]{3,32}$`.
   *
   * @example "alice"
   */
  handle: string | null;
  /**
   * What was done.
   *
   * @example "key.issued"
   */
  action: "handle.created" | "handle.retired" | "handle.suspended" | "handle.restored" | "policy.changed" | "key.issued" | "key.revoked" | "egress.changed" | "egress.blocked" | "approval.approved" | "approval.rejected" | "knock.answered" | "wire.removed" | "data.exported" | "operator.granted" | "operator.revoked";
  /**
   * On what: `@slug`, or kind and id, such as `key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`.
   *
   * @example "key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  subject: string;
  /**
   * `ok`, or the error code with which it was refused.
   *
   * @example "ok"
   */
  outcome: string;
  /**
   * `X-Request-Id` of the request that did it; null for what was done on the daemon's machine.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  request_id: string | null;
}

/** What `audit.list` gives. */
export interface AuditListOutput {
  /** Newest first. */
  entries: AuditListEntrie[];
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
  listAll(input: AuditListInput = {}, options?: CallOptions): AsyncGenerator<AuditListEntrie, void, undefined> {
    return items(input, (page) => this.list(page, options), "entries");
  }
}

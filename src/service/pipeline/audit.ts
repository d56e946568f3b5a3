/** Appends entries to an account's audit log, in the same transaction as the audited change. */

import type { ErrorCode } from "../../contract/errors.js";
import type { AuditAction } from "../../contract/operations/audit.js";
import type { EgressBlockedError } from "../../domain/egress.js";
import { MINUTE, now } from "../../kernel/clock.js";
import { enqueueAuditEntries, nthNewestEntryAt } from "../../store/accounts/audit.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import type { Agent, Context, Sender } from "./context.js";

/** An audit entry without its actor and request id, which `logAuditEvents` adds. */
export interface AuditEvent {
  /** Primary key of the account whose log receives the entry. */
  account: number;
  /** Primary key of the handle that the event concerns. Null if the event concerns no handle of that account. */
  handle: number | null;
  action: AuditAction;
  /** The affected object: `@slug` for a handle, otherwise its kind and id, such as `key:…`. */
  subject: string;
  /** Error code of a refused action. Absent for a successful action, which is stored as `ok`. */
  outcome?: ErrorCode;
  /** The reason that an operator gave. Absent if there is none. */
  reason?: string | undefined;
}

type Actor = Pick<Context, "caller" | "requestId">;

/** Appends audit entries with the caller as actor. The transaction inserts them at its end. */
export function logAuditEvents(
  { caller, requestId }: Actor,
  tx: Transaction,
  ...events: readonly AuditEvent[]
): void {
  const actor = caller.kind === "human" ? "human" : `@${caller.slug}`;
  enqueueAuditEntries(
    tx,
    events.map((event) => ({ outcome: "ok", ...event, actor, requestId })),
  );
}

/** Appends an entry to the audit log of the affected account. If another account acted, its log receives the entry as well. */
export function logAuditEventForBothAccounts(ctx: Context<Agent>, tx: Transaction, event: AuditEvent): void {
  const { caller } = ctx;
  const own = { ...event, account: caller.account.pk, handle: caller.pk };
  logAuditEvents(ctx, tx, event, ...(own.account === event.account ? [] : [own]));
}

/**
 * Entries of one kind that a handle can cause in a minute without a rate limit. Entries stay for 400 days, so without this limit an
 * agent could fill the disk and bury the other entries.
 */
export const MAX_ENTRIES_PER_MINUTE = 60;

/**
 * Appends an audit entry for a post, knock (contact request) or change that the caller's egress policy blocked. Returns false if
 * there are too many of them.
 */
export async function logEgressBlocked(
  ctx: Pick<Context<Sender>, "caller" | "requestId">,
  tx: Transaction,
  refusal: EgressBlockedError,
): Promise<boolean> {
  const { pk, account } = ctx.caller;
  if ((await blockingEntryAt(ctx, tx, "egress.blocked")) !== undefined) return false;
  logAuditEvents(ctx, tx, {
    account: account.pk,
    handle: pk,
    action: "egress.blocked",
    subject: refusal.subject,
    outcome: refusal.code,
  });
  return true;
}

/**
 * Returns undefined if the caller may cause another entry of an action. Otherwise, returns the time of the entry that must
 * first become a minute old.
 */
export function blockingEntryAt(
  { caller }: Pick<Context<Sender>, "caller">,
  session: Session,
  action: AuditAction,
): Promise<number | undefined> {
  const at = now();
  // Later entries are from before the clock was set back. They do not block the caller until that time.
  const times = { after: at - MINUTE, before: at + MINUTE };
  return nthNewestEntryAt(session, caller, action, times, MAX_ENTRIES_PER_MINUTE);
}

/** Appends entries to an account's audit log. The audited change commits in the same transaction. */
import { type ErrorCode, WireroomError } from "../../contract/errors.js";
import type { Operation } from "../../contract/operation.js";
import type { AuditAction } from "../../contract/operations/audit.js";
import type { EgressBlockedError } from "../../domain/egress.js";
import { windowUsedUp } from "../../domain/rate-limits.js";
import { MINUTE, now, SECOND } from "../../kernel/clock.js";
import { enqueueAuditEntries, timesOfActions } from "../../store/accounts/audit.js";
import type { StoredConnection } from "../../store/accounts/connections.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import type { Agent, Sender } from "./caller.js";
import type { Context } from "./context.js";

export interface AuditEvent {
  account: number;
  /** Primary key of the handle that the event concerns. Null if the event concerns no handle of `account`. */
  handle: number | null;
  action: AuditAction;
  /** The affected object: `@slug` for a handle, otherwise its type and id, such as `key:…`. */
  subject: string;
  /** Error code of a refused action. Absent if the action succeeded. */
  outcome?: ErrorCode;
  reason?: string | undefined;
  /** Details that the subject does not contain, such as `to @bob`. */
  detail?: string | undefined;
}

type Actor = Pick<Context, "caller" | "requestId">;

/** Appends audit entries with the caller as actor. They are inserted when the transaction ends. */
export function logAuditEvents(
  { caller, requestId }: Actor,
  tx: Transaction,
  ...events: readonly AuditEvent[]
): void {
  const actor = caller.kind === "human" ? "human" : `@${caller.slug}`;
  const isCounted = ({ action }: AuditEvent) =>
    (REPEATABLE_ACTIONS as readonly AuditAction[]).includes(action);
  if (caller.kind === "agent" || events.some(isCounted)) counted.add(tx);
  enqueueAuditEntries(
    tx,
    events.map((event) => ({ outcome: "ok", ...event, actor, requestId })),
  );
}

export function logAuditEventForBothAccounts(ctx: Context<Agent>, tx: Transaction, event: AuditEvent): void {
  const { caller } = ctx;
  const own = { ...event, account: caller.account.pk, handle: caller.pk };
  logAuditEvents(ctx, tx, event, ...(own.account === event.account ? [] : [own]));
}

/**
 * Audited actions that a human can repeat without limit. Every other action uses up an object, such as a held
 * wire.
 */
const REPEATABLE_ACTIONS = ["egress.changed", "token.issued", "key.issued", "data.exported"] as const;

const counted = new WeakSet<Transaction>();

/**
 * Throws if an action that this transaction logged exceeds the caller's limit per minute. The limit keeps a
 * caller from hiding entries in a flood of others. The rollback also undoes the action, so every action that
 * takes effect has an entry.
 */
export async function assertFewAudited(
  ctx: Pick<Context, "caller" | "limits">,
  tx: Transaction,
  code: ErrorCode,
): Promise<void> {
  if (!counted.has(tx)) return;
  // Run the handle's calls one at a time, so that concurrent calls cannot exceed the limit.
  if (ctx.caller.kind === "agent") await tx.lock("handles", "pk", [ctx.caller.pk]);
  const error = await findAuditedError(ctx, tx, code, -1);
  if (error) throw error;
}

export function auditedErrorCode({ auditedError, limits }: Operation): ErrorCode {
  return auditedError ?? (limits.length > 0 ? "RATE_LIMITED" : "FORBIDDEN");
}

/**
 * Returns an error if the caller's audited actions of the last minute reach `audited_per_minute`, otherwise
 * null. For a human, counts only the repeatable actions of the whole account.
 * @param added number of actions not logged yet; -1 if the current call's action is already logged
 */
export async function findAuditedError(
  ctx: Pick<Context, "caller" | "limits">,
  session: Session,
  code: ErrorCode,
  added = 0,
): Promise<WireroomError | null> {
  const at = now();
  return auditedErrorAfter(ctx, await auditedTimes(ctx, session, at), code, added, at);
}

export async function auditedTimes(
  { caller, limits }: Pick<Context, "caller" | "limits">,
  session: Session,
  at: number,
): Promise<number[]> {
  const limit = auditedLimit({ caller, limits });
  if (limit === null) return [];
  // After the clock is set back, some entries have times in the future. Ignore those, because they would
  // block the caller until that time.
  const times = { after: at - MINUTE, before: at + MINUTE };
  const actions = caller.kind === "agent" ? undefined : REPEATABLE_ACTIONS;
  return timesOfActions(session, caller, actions, times, limit + 1);
}

/**
 * Like {@link findAuditedError}, but for times that are already loaded.
 * @param times the result of {@link auditedTimes}
 */
export function auditedErrorAfter(
  { caller, limits }: Pick<Context, "caller" | "limits">,
  times: readonly number[],
  code: ErrorCode,
  added: number,
  at: number,
): WireroomError | null {
  const limit = auditedLimit({ caller, limits });
  if (limit === null) return null;
  if (limit === 0) return new WireroomError(code, "this service does not allow any audited actions");
  const after = limit - 1 - added;
  const blockingAt = after < 0 ? at : times[after];
  if (blockingAt === undefined) return null;
  const subject = caller.kind === "agent" ? "handle" : "account";
  const text = `the limit audited_per_minute of ${limit} audited actions per ${subject}`;
  return windowUsedUp(code, text, MINUTE / SECOND, blockingAt, at);
}

function auditedLimit({ caller, limits }: Pick<Context, "caller" | "limits">): number | null {
  const { audited_per_minute: perHandle, account_factor: factor } = limits;
  if (perHandle === null) return null;
  if (caller.kind === "agent") return perHandle;
  return factor === null ? null : perHandle * factor;
}

/**
 * Appends an audit entry for a post, knock or change that the caller's egress policy blocked. If the caller
 * has too many entries, returns an error that replaces the refusal.
 */
export async function logEgressBlocked(
  ctx: Pick<Context, "caller" | "requestId" | "limits">,
  { pk, account }: Sender,
  tx: Transaction,
  refusal: EgressBlockedError,
  code: ErrorCode,
): Promise<WireroomError | null> {
  const error = await findAuditedError(ctx, tx, code);
  if (error) return error;
  logAuditEvents(ctx, tx, {
    account: account.pk,
    handle: pk,
    action: "egress.blocked",
    subject: refusal.subject,
    outcome: refusal.code,
  });
  return null;
}

export function connectionEvent(
  action: "connection.created" | "connection.revoked",
  { id, account, handle, client_name: detail }: StoredConnection,
): AuditEvent {
  return { account, handle, action, subject: `connection:${id}`, detail };
}

/** The audit log of an account: what was done with it, recorded in the transaction that does it. */

import type { ErrorCode } from "../../contract/errors.js";
import type { AuditAction } from "../../contract/operations/audit.js";
import type { EgressBlocked } from "../../domain/egress.js";
import { appendAudit } from "../../store/accounts/audit.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { Agent, Context, Sender } from "./context.js";

/** Something that a caller did, for the log of an account. */
export interface AuditEvent {
  account: number;
  /** The account's handle that it concerns. */
  handle: number | null;
  action: AuditAction;
  /** `@slug`, or kind and id: `key:…`. */
  subject: string;
  /** The code with which it was refused; `ok` unless given. */
  outcome?: ErrorCode;
}

type Actor = Pick<Context, "caller" | "requestId">;

/** Records events of the caller when the transaction ends. */
export function recordAudit(
  { caller, requestId }: Actor,
  tx: Transaction,
  ...events: readonly AuditEvent[]
): void {
  const actor = caller.kind === "human" ? "human" : `@${caller.slug}`;
  appendAudit(
    tx,
    events.map((event) => ({ outcome: "ok", ...event, actor, requestId })),
  );
}

/** The same, in the log of the account that it was done to and in that of the agent who did it, where they differ. */
export function recordAuditForBoth(ctx: Context<Agent>, tx: Transaction, event: AuditEvent): void {
  const { caller } = ctx;
  const own = { ...event, account: caller.account.pk, handle: caller.pk };
  recordAudit(ctx, tx, event, ...(own.account === event.account ? [] : [own]));
}

/** Records a refusal by the egress policy. */
export function recordBlocked(
  ctx: Pick<Context<Sender>, "caller" | "requestId">,
  tx: Transaction,
  refusal: EgressBlocked,
): void {
  const { pk, account } = ctx.caller;
  recordAudit(ctx, tx, {
    account: account.pk,
    handle: pk,
    action: "egress.blocked",
    subject: refusal.target,
    outcome: refusal.code,
  });
}

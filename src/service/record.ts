import type { AuditAction } from "../contract/audit.js";
import type { ErrorCode } from "../contract/errors.js";
import { type AuditEntry, appendAudit } from "../store/audit.js";
import type { Transaction } from "../store/engine.js";
import type { Agent, Context } from "./context.js";

/** What was done, in whose account's log. */
export interface Deed {
  account: number;
  /** The account's handle that it concerns. */
  handle: number | null;
  action: AuditAction;
  /** `@slug`, or kind and id: `key:…`. */
  subject: string;
  /** The code with which it was refused; `ok` unless given. */
  outcome?: ErrorCode;
}

/** Writes deeds of the caller into the audit log, in the transaction that does them (decisions, section 9). */
export async function record(ctx: Context, tx: Transaction, ...deeds: Deed[]): Promise<void> {
  await appendAudit(
    tx,
    deeds.map((deed) => entryOf(ctx, deed)),
  );
}

/** The same, in the log of the account that it was done to and in that of the agent who did it, where they differ. */
export async function recordForBoth(ctx: Context<Agent>, tx: Transaction, deed: Deed): Promise<void> {
  const { caller } = ctx;
  const own = { ...deed, account: caller.account.pk, handle: caller.pk };
  await record(ctx, tx, deed, ...(own.account === deed.account ? [] : [own]));
}

/** The entry of a deed of the caller's, for those who append many at once. */
export function entryOf(
  { caller, requestId }: Pick<Context, "caller" | "requestId">,
  deed: Deed,
): AuditEntry {
  const actor = caller.kind === "human" ? "human" : `@${caller.slug}`;
  return { outcome: "ok", ...deed, actor, requestId };
}

/** Finds the handle that a request names, and checks what the caller may do. */
import { WireroomError } from "../../contract/errors.js";
import { EgressBlockedError } from "../../domain/egress.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { handleSlug } from "../../kernel/names.js";
import { mayPublish } from "../../store/accounts/egress.js";
import {
  handleBySlug,
  handleBySlugIncludingRetired,
  type StoredHandle,
} from "../../store/accounts/handles.js";
import { isOperator } from "../../store/accounts/operators.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { assertActive } from "../pipeline/authenticate.js";
import type { Agent, Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

/** Returns the handle with this slug (with or without `@`). Throws 404 if it is unknown or retired. */
export async function handleByName(session: Session, name: string): Promise<StoredHandle> {
  const slug = handleSlug(name);
  const handle = await handleBySlug(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return handle;
}

export async function handleByNameIncludingRetired(session: Session, name: string): Promise<StoredHandle> {
  const slug = handleSlug(name);
  const handle = await handleBySlugIncludingRetired(session, slug);
  if (!handle) throw noSuchHandle(slug);
  return handle;
}

/** Returns the account's handle, even if it is retired. Throws 404 if another account owns the handle. */
export async function ownHandleIncludingRetired(session: Session, account: number, name: string) {
  const handle = await handleByNameIncludingRetired(session, name);
  if (handle.account !== account) throw noSuchHandle(handle.resource.slug);
  return handle;
}

/** Returns the caller's handle. Throws 404 if the handle is unknown, or 403 if another account owns it. */
export async function ownHandle(ctx: Context<Human>, session: Session, name: string) {
  const handle = await handleByName(session, name);
  if (handle.account === ctx.caller.account.pk) return handle;
  throw new WireroomError("FORBIDDEN", `@${handle.resource.slug} belongs to another account`);
}

/**
 * Locks the rows of the caller's handle and of other handles until the transaction ends. Throws 401 if the
 * caller was retired after authentication, or 403 if it was suspended.
 * @param others slugs of other handles that the operation changes. One statement locks all handles, to avoid
 *   deadlocks
 */
export async function lockActiveCaller(
  tx: Transaction,
  caller: Agent,
  others: readonly string[] = [],
): Promise<void> {
  await tx.lock("handles", "slug", [caller.slug, ...others]);
  await assertActive(tx, caller);
}

/**
 * Throws EGRESS_BLOCKED if the caller's egress policy forbids changes that others can read
 * (docs/specification/dashboard-operations.md#publishing). Call this before the transaction's first write,
 * because the refusal commits together with its audit entry. The caller's row must be locked.
 * @param subject the changed object, as named in the audit log
 * @param action the forbidden action, for the error message
 */
export async function assertMayPublish(
  tx: Transaction,
  caller: Agent,
  subject: string,
  action: string,
): Promise<void> {
  if (caller.isHuman || (await mayPublish(tx, caller.pk))) return;
  throw new EgressBlockedError(subject, action);
}

/** Throws 403 unless the caller is an operator. Queries the database, so that role changes apply at once. */
export async function assertOperator({ caller }: Context<Agent>, session: Session): Promise<void> {
  if (await isOperator(session, caller.pk)) return;
  throw new WireroomError(
    "FORBIDDEN",
    `@${caller.slug} is not an operator; act as a handle that is one, or grant the role on the daemon's machine: wireroom operator grant @${caller.slug}`,
  );
}

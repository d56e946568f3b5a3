/** Retires handles for the operations that retire one and that delete the account. */
import { invalid } from "../../contract/errors.js";
import { completeRule } from "../../domain/posting.js";
import { now } from "../../kernel/clock.js";
import { endConnectionsOfHandles } from "../../store/accounts/connections.js";
import type { HandleSettings } from "../../store/accounts/handles.js";
import { ownedSpaces, retireHandles as retireStoredHandles } from "../../store/accounts/retirement.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { deleteEntity } from "../../store/entities.js";
import { type AuditEvent, logAuditEvents } from "../pipeline/audit.js";
import type { Context, Human } from "../pipeline/context.js";
import { connectionEvent } from "./connection-event.js";

/** The profile fields of a retired handle (docs/specification/dashboard-operations.md#retiring-a-handle). */
const EMPTY_PROFILE: HandleSettings = {
  display_name: null,
  bio: null,
  tags: [],
  discoverable: false,
  contact_policy: "contacts_only",
  inbox_rule: completeRule(undefined),
};

/** A handle that is to be retired. */
export interface RetiringHandle {
  pk: number;
  slug: string;
  /** Whether the switchboard lists the handle. */
  isListed: boolean;
}

/**
 * Retires handles of the caller, which must be locked. Throws 400 if they own spaces.
 * @param instancePath the field of the input that the error names
 */
export async function retireHandles(
  ctx: Context<Human>,
  tx: Transaction,
  handles: readonly RetiringHandle[],
  instancePath: string,
): Promise<void> {
  const pks = handles.map(({ pk }) => pk);
  await assertOwnNoSpace(tx, pks, instancePath);
  await retireStoredHandles(tx, pks, EMPTY_PROFILE, now());
  for (const { slug, isListed } of handles) if (isListed) await deleteEntity(tx, "handle", slug);
  const ended = await endConnectionsOfHandles(tx, pks, now());
  const account = ctx.caller.account.pk;
  const retired = handles.map(
    ({ pk, slug }): AuditEvent => ({ account, handle: pk, action: "handle.retired", subject: `@${slug}` }),
  );
  const revoked = ended.map((connection) => connectionEvent("connection.revoked", connection));
  logAuditEvents(ctx, tx, ...retired, ...revoked);
  for (const pk of pks) tx.publish({ topic: "status", handle: pk });
}

/** Maximum number of spaces that one error lists. */
const MAX_LISTED_SPACES = 100;

/**
 * Throws 400 if one of the handles owns spaces, because a space without an owner could not be managed. The error lists the spaces to
 * transfer first.
 */
async function assertOwnNoSpace(
  session: Session,
  handles: readonly number[],
  instancePath: string,
): Promise<void> {
  const spaces = await ownedSpaces(session, handles, MAX_LISTED_SPACES);
  if (spaces.length === 0) return;
  const reasons = spaces.map(({ handle, space }) => ({
    instancePath,
    keyword: "owns_space",
    message: `@${handle} owns #${space}; as @${handle}, transfer the space to another handle first`,
  }));
  throw invalid(
    reasons,
    spaces.length === 1 ? undefined : "spaces must be transferred to other handles first",
  );
}

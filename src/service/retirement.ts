/** Retires handles, when a human retires a handle or deletes the account. */
import { completeRule } from "../domain/posting.js";
import { now } from "../kernel/clock.js";
import { enqueueAuditEntries } from "../store/accounts/audit.js";
import {
  closeSpace,
  dequeueErasure,
  ERASURES,
  longestStandingMod,
  type OwnedSpace,
  ownedSpaces,
  passSpaceOn,
  queuedHandles,
} from "../store/accounts/erasure.js";
import { type HandleSettings, retireHandles as retireStoredHandles } from "../store/accounts/handles.js";
import type { Transaction } from "../store/engine/engine.js";
import type { Store } from "../store/index.js";
import { Pace } from "../store/retention/pace.js";
import { endClaimsOfRetired } from "../store/wires/claims.js";
import type { Human } from "./pipeline/caller.js";
import type { Context } from "./pipeline/context.js";

/** The profile of a retired handle (docs/specification/dashboard-operations.md#retiring-a-handle). */
const EMPTY_PROFILE: HandleSettings = {
  display_name: null,
  bio: null,
  tags: [],
  discoverable: false,
  contact_policy: "contacts_only",
  inbox_rule: completeRule(undefined),
};

/** Retires handles, which must already be locked. After the commit, nobody can use, address or find them. */
export async function retireHandles(tx: Transaction, handles: readonly number[]): Promise<void> {
  await retireStoredHandles(tx, handles, EMPTY_PROFILE, now());
  await endClaimsOfRetired(tx, handles);
  for (const handle of handles) tx.publish({ topic: "status", handle });
}

const HANDLES_AT_ONCE = 100;
const SPACES_AT_ONCE = 32;

/**
 * Erases the rows of an account's retired handles, or of all retired handles if `account` is not set. Passes
 * each of their spaces to a moderator, or closes the space. Uses short transactions, so that other writes can
 * run in between.
 */
export async function eraseRetired(
  { engine }: Pick<Store, "engine">,
  stopping: AbortSignal,
  account?: number,
): Promise<void> {
  const { reader } = engine;
  const pace = new Pace(engine, stopping);
  for (;;) {
    const handles = await queuedHandles(reader, account, HANDLES_AT_ONCE);
    if (handles.length === 0) return;
    for (;;) {
      const spaces = await ownedSpaces(reader, handles, SPACES_AT_ONCE);
      if (spaces.length === 0) break;
      for (const space of spaces) {
        const heir = await longestStandingMod(reader, space);
        await pace.step(async (tx) => {
          await passOnOrClose(tx, space, heir);
          return 1;
        });
      }
    }
    for (const erasure of ERASURES) {
      for (;;) {
        const rows = await erasure.find(reader, handles, pace.size);
        if (rows.length === 0) break;
        await pace.step(async (tx) => {
          await erasure.erase(tx, rows);
          return rows.length;
        });
      }
    }
    await pace.step(async (tx) => {
      await dequeueErasure(tx, handles);
      return handles.length;
    });
  }
}

/**
 * Erases the rows of the handles that the caller's transaction has retired. If this fails, the next sweep or
 * daemon start continues.
 */
export async function eraseAfterCommit(ctx: Context<Human>, _input: object, body: string): Promise<string> {
  try {
    await eraseRetired(ctx.store, ctx.stopping, ctx.caller.account.pk);
  } catch (err) {
    if (!ctx.stopping.aborted)
      ctx.store.log.warn(
        { err },
        "rows of retired handles could not be erased yet; the next try is in an hour",
      );
  }
  return body;
}

async function passOnOrClose(
  tx: Transaction,
  space: OwnedSpace,
  heir: Awaited<ReturnType<typeof longestStandingMod>>,
): Promise<void> {
  if (heir) await tx.lock("handles", "pk", [heir.handle]);
  await tx.lock("spaces", "pk", [space.space]);
  if (!heir) return closeSpace(tx, space);
  // The heir may have lost its moderator role in the meantime. The caller then looks for another heir.
  if (!(await passSpaceOn(tx, space, heir.handle))) return;
  const subject = `#${space.slug}`;
  const entry = { subject, outcome: "ok", requestId: null } as const;
  enqueueAuditEntries(tx, [
    {
      ...entry,
      account: space.account,
      handle: space.owner,
      actor: "human",
      action: "space.transferred",
      detail: `to @${heir.slug}`,
    },
    {
      ...entry,
      account: heir.account,
      handle: heir.handle,
      actor: `@${space.ownerSlug}`,
      action: "space.received",
    },
  ]);
}

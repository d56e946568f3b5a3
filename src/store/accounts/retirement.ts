/** Retires handles, which is permanent (docs/specification/dashboard-operations.md#retiring-a-handle). */
import { withdrawPendingApprovals } from "../approvals/approvals.js";
import type { Session, Transaction } from "../engine/engine.js";
import { numberedIntegers } from "../engine/sql.js";
import { type HandleSettings, ofHandles, settingValues } from "./handles.js";

/** A space that a handle owns. */
export interface OwnedSpace {
  handle: string;
  space: string;
}

const OWNED_SPACES = ofHandles(
  (handles) => `SELECT h.slug AS handle, s.slug AS space
    FROM members m JOIN spaces s ON s.pk = m.space JOIN handles h ON h.pk = m.handle
    WHERE m.handle IN ${handles} AND m.role = 'owner' ORDER BY h.slug, s.slug LIMIT ?`,
);

/** Returns the sorted slugs of the spaces that handles own, at most `limit`. */
export function ownedSpaces(
  session: Session,
  handles: readonly number[],
  limit: number,
): Promise<OwnedSpace[]> {
  return session.all(OWNED_SPACES, [numberedIntegers(handles), limit]);
}

const RETIRE = ofHandles(
  (
    handles,
  ) => `UPDATE handles SET display_name = ?, bio = ?, tags = ?, discoverable = ?, contact_policy = ?, inbox_rule = ?,
    retired_at = ?, operator_at = NULL WHERE pk IN ${handles}`,
);
const REVOKE_KEYS = ofHandles(
  (handles) => `UPDATE api_keys SET revoked_at = ? WHERE handle IN ${handles} AND revoked_at IS NULL`,
);
const DELETE_ROWS = [
  (handles: string) => `members WHERE handle IN ${handles}`,
  // The table has no index on `other`, so the rows of the other handles are found through the rows of these handles.
  (handles: string) =>
    `contacts WHERE (handle, other) IN (SELECT c.other, c.handle FROM contacts c WHERE c.handle IN ${handles})`,
  (handles: string) => `contacts WHERE handle IN ${handles}`,
  (handles: string) => `blocks WHERE handle IN ${handles}`,
  (handles: string) => `blocks WHERE other IN ${handles}`,
].map((rows) => ofHandles((handles) => `DELETE FROM ${rows(handles)}`));
const EXPIRE_KNOCKS = ["sender", "target"].map((side) =>
  ofHandles(
    (handles) => `UPDATE knocks SET status = 'expired' WHERE status = 'pending' AND ${side} IN ${handles}`,
  ),
);

/**
 * Retires handles: revokes their keys, replaces their profiles with `emptySettings`, and deletes their memberships, contacts and
 * blocks. Pending knocks expire, and pending approvals are withdrawn. Their wires and schemas are kept.
 */
export async function retireHandles(
  tx: Transaction,
  handles: readonly number[],
  emptySettings: HandleSettings,
  at: number,
): Promise<void> {
  const pks = numberedIntegers(handles);
  await tx.run(RETIRE, [...settingValues(emptySettings), at, pks]);
  await tx.run(REVOKE_KEYS, [at, pks]);
  for (const rows of DELETE_ROWS) await tx.run(rows, [pks]);
  for (const knocks of EXPIRE_KNOCKS) await tx.run(knocks, [pks]);
  await withdrawPendingApprovals(tx, pks, at);
}

/** Retires handles, which is permanent (docs/specification/dashboard-operations.md#retiring-a-handle). */
import { withdrawPendingApprovals } from "../approvals/approvals.js";
import type { Session, Transaction } from "../engine/engine.js";
import type { HandleSettings } from "./handles.js";
import { updateHandle } from "./handles.js";

/** Returns the sorted slugs of the spaces that a handle owns, at most `limit`. */
export async function ownedSpaces(session: Session, handle: number, limit: number): Promise<string[]> {
  const rows = await session.all<{ slug: string }>(
    `SELECT s.slug FROM members m JOIN spaces s ON s.pk = m.space
     WHERE m.handle = ? AND m.role = 'owner' ORDER BY s.slug LIMIT ?`,
    [handle, limit],
  );
  return rows.map((row) => row.slug);
}

/**
 * Retires a handle: revokes its keys, replaces its profile with `emptySettings`, and deletes its memberships, contacts and
 * blocks. Pending knocks expire, and pending approvals are withdrawn. Its wires and schemas are kept.
 */
export async function retireHandle(
  tx: Transaction,
  handle: number,
  emptySettings: HandleSettings,
  at: number,
): Promise<void> {
  await updateHandle(tx, handle, emptySettings);
  await tx.run("UPDATE handles SET retired_at = ?, operator_at = NULL WHERE pk = ?", [at, handle]);
  await tx.run("UPDATE api_keys SET revoked_at = ? WHERE handle = ? AND revoked_at IS NULL", [at, handle]);
  await tx.run("DELETE FROM members WHERE handle = ?", [handle]);
  // The table has no index on `other`, so the rows of the other handles are found through the rows of this handle.
  await tx.run(
    "DELETE FROM contacts WHERE (handle, other) IN (SELECT other, handle FROM contacts WHERE handle = ?)",
    [handle],
  );
  await tx.run("DELETE FROM contacts WHERE handle = ?", [handle]);
  await tx.run("DELETE FROM blocks WHERE handle = ?1 OR other = ?1", [handle]);
  await tx.run(
    "UPDATE knocks SET status = 'expired' WHERE status = 'pending' AND (sender = ?1 OR target = ?1)",
    [handle],
  );
  await withdrawPendingApprovals(tx, handle, at);
}

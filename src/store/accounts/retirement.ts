/** The end of a handle (decisions, section 9): what was its own goes, what others hold of it stays. */

import { withdrawAll } from "../approvals.js";
import type { Session, Transaction } from "../engine/engine.js";
import type { HandleSettings } from "./handles.js";
import { updateHandle } from "./handles.js";

/** Slugs of the spaces that a handle owns, in their order; at most `limit`. */
export async function ownedSpaces(session: Session, handle: number, limit: number): Promise<string[]> {
  const rows = await session.all<{ slug: string }>(
    `SELECT s.slug FROM members m JOIN spaces s ON s.pk = m.space
     WHERE m.handle = ? AND m.role = 'owner' ORDER BY s.slug LIMIT ?`,
    [handle, limit],
  );
  return rows.map((row) => row.slug);
}

/**
 * Retires a handle for good: its keys are revoked, its profile becomes `empty`, it leaves spaces and contacts, blocks of it
 * and by it go, what it knocked or was knocked and is still pending expires, and what it has held is withdrawn. Its wires and schemas stay.
 */
export async function retireHandle(
  tx: Transaction,
  handle: number,
  empty: HandleSettings,
  at: number,
): Promise<void> {
  await updateHandle(tx, handle, empty);
  await tx.run("UPDATE handles SET retired_at = ?, operator_at = NULL WHERE pk = ?", [at, handle]);
  await tx.run("UPDATE api_keys SET revoked_at = ? WHERE handle = ? AND revoked_at IS NULL", [at, handle]);
  await tx.run("DELETE FROM members WHERE handle = ?", [handle]);
  // Contacts are kept in both directions, so those of others are found through its own.
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
  await withdrawAll(tx, handle, at);
}

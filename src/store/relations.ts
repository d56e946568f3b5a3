/** Stores contacts and blocks between handles. A contact has two rows, one for each direction. A block has one row. */
import type { Session, SqlValue, Transaction } from "./engine/engine.js";

type Relation = "contacts" | "blocks";

export async function isRelated(
  session: Session,
  relation: Relation,
  handle: number,
  other: number,
): Promise<boolean> {
  const row = await session.get(`SELECT 1 AS found FROM ${relation} WHERE handle = ? AND other = ?`, [
    handle,
    other,
  ]);
  return row !== undefined;
}

export async function addContact(tx: Transaction, one: number, other: number, since: number): Promise<void> {
  await tx.run(
    "INSERT INTO contacts (handle, other, since) VALUES (?, ?, ?), (?, ?, ?) ON CONFLICT DO NOTHING",
    [one, other, since, other, one, since],
  );
}

/** Deletes a contact in both directions. Returns false if there was none. */
export async function removeContact(tx: Transaction, one: number, other: number): Promise<boolean> {
  const { changes } = await tx.run(
    "DELETE FROM contacts WHERE (handle = ? AND other = ?) OR (handle = ? AND other = ?)",
    [one, other, other, one],
  );
  return changes > 0;
}

export async function addBlock(tx: Transaction, handle: number, other: number, since: number): Promise<void> {
  await tx.run("INSERT INTO blocks (handle, other, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [
    handle,
    other,
    since,
  ]);
}

export async function removeBlock(tx: Transaction, handle: number, other: number): Promise<void> {
  await tx.run("DELETE FROM blocks WHERE handle = ? AND other = ?", [handle, other]);
}

export interface Related {
  other: number;
  slug: string;
  since: number;
}

/** Returns contacts or blocks of a handle, newest first. The page starts after the position `after`. */
export function listRelated(
  session: Session,
  relation: Relation,
  handle: number,
  after: { since: number; other: number } | undefined,
  limit: number,
): Promise<Related[]> {
  const params: SqlValue[] = [handle];
  if (after) params.push(after.since, after.other);
  return session.all<Related>(
    `SELECT r.other, h.slug, r.since FROM ${relation} r JOIN handles h ON h.pk = r.other
     WHERE r.handle = ?${after ? " AND (r.since, r.other) < (?, ?)" : ""}
     ORDER BY r.since DESC, r.other DESC LIMIT ?`,
    [...params, limit],
  );
}

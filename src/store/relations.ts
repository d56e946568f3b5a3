/**
 * Stores contacts and blocks between handles. A contact has two rows, one for each direction. A block has one
 * row, from the blocking handle to the blocked handle.
 */
import type { Role } from "../contract/fields.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import { RowsParameter, sql } from "./engine/sql.js";

type Relation = "contacts" | "blocks";

export async function isContact(session: Session, handle: number, other: number): Promise<boolean> {
  const row = await session.get("SELECT 1 AS found FROM contacts WHERE handle = ? AND other = ?", [
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

/** Returns false if the handles were not contacts. */
export async function removeContact(tx: Transaction, one: number, other: number): Promise<boolean> {
  const { changes } = await tx.run(
    "DELETE FROM contacts WHERE (handle = ? AND other = ?) OR (handle = ? AND other = ?)",
    [one, other, other, one],
  );
  return changes > 0;
}

/**
 * Blocks a handle and all other handles of its account, including future ones. Within one account, blocks
 * only the named handle.
 */
export async function addBlock(tx: Transaction, handle: number, other: number, since: number): Promise<void> {
  await tx.run(
    `INSERT INTO blocks (handle, other, since, account)
     VALUES (?1, ?2, ?3, (SELECT o.account FROM handles o JOIN handles h ON h.pk = ?1 WHERE o.pk = ?2 AND o.account <> h.account))
     ON CONFLICT DO NOTHING`,
    [handle, other, since],
  );
}

export async function removeBlock(tx: Transaction, handle: number, other: number): Promise<void> {
  await tx.run("DELETE FROM blocks WHERE handle = ? AND other = ?", [handle, other]);
}

/** Returns SQL for whether `handle` has blocked `other` or another handle of its account. */
export function hasBlocked(handle: string, other: { pk: string; account: string }): string {
  return `(EXISTS (SELECT 1 FROM blocks b WHERE b.handle = ${handle} AND b.account = ${other.account})
    OR EXISTS (SELECT 1 FROM blocks b WHERE b.handle = ${handle} AND b.other = ${other.pk}))`;
}

export async function isBlocked(
  session: Session,
  by: number,
  { pk, account }: { pk: number; account: number },
): Promise<boolean> {
  const row = await session.get<{ found: number }>(
    `SELECT 1 AS found WHERE ${hasBlocked("?1", { pk: "?2", account: "?3" })}`,
    [by, pk, account],
  );
  return row !== undefined;
}

const NAME_ACCOUNTS = `UPDATE blocks SET account = (SELECT o.account FROM handles o WHERE o.pk = blocks.other)
  WHERE (handle, other) IN (SELECT b.handle, b.other FROM blocks b JOIN handles h ON h.pk = b.handle JOIN handles o ON o.pk = b.other
    WHERE b.account IS NULL AND o.account <> h.account LIMIT ?)`;

/** Sets the missing `account` of blocks that an older daemon stored during an update. */
export async function nameBlockedAccounts(tx: Transaction, _at: number, limit: number): Promise<number> {
  // On SQLite, the migration set all accounts, and two versions never run at the same time.
  if (tx.engine === "sqlite") return 0;
  return (await tx.run(NAME_ACCOUNTS, [limit])).changes;
}

export interface Related {
  other: number;
  slug: string;
  since: number;
  /** 1 if the handle may see when `other` last pulled (docs/specification/sending.md#last-pull). */
  showsPull: number;
  pulledAt: number | null;
}

/** Returns the related handles after position `after`, newest first. */
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
    `SELECT r.other, h.slug, r.since, c.pulled_at AS "pulledAt",
       CASE WHEN h.delivery_receipts = 1 AND NOT ${hasBlocked("h.pk", { pk: "o.pk", account: "o.account" })}
         AND NOT ${hasBlocked("o.pk", { pk: "h.pk", account: "h.account" })} THEN 1 ELSE 0 END AS "showsPull"
     FROM ${relation} r JOIN handles h ON h.pk = r.other JOIN handles o ON o.pk = r.handle
     LEFT JOIN checkpoints c ON c.handle = h.pk
     WHERE r.handle = ?${after ? " AND (r.since, r.other) < (?, ?)" : ""}
     ORDER BY r.since DESC, r.other DESC LIMIT ?`,
    [...params, limit],
  );
}

/**
 * A handle that a request names as a space member, with the facts that decide whether the caller may add it
 * or change its role.
 */
export interface NamedHandle {
  pk: number;
  account: number;
  slug: string;
  /** Null if the handle is not a member. */
  role: Role | null;
  contact_policy: "open" | "contacts_only";
  /** Null if the handle and the caller are not contacts. */
  contact_since: number | null;
  has_blocked: number;
  /** Null if the handle did not leave the space by its own choice. */
  left_at: number | null;
}

const NAMES = new RowsParameter({ slug: "text", space: "integer", caller: "integer", account: "integer" });
const NAMED_HANDLES = sql`SELECT h.pk, h.account, h.slug, m.role, h.contact_policy, c.since AS contact_since, d.left_at,
    CASE WHEN ${hasBlocked("h.pk", { pk: "q.caller", account: "q.account" })} THEN 1 ELSE 0 END AS has_blocked
  FROM ${NAMES.materialisedTable("q")} JOIN handles h ON h.slug = q.slug AND h.retired_at IS NULL
  LEFT JOIN members m ON m.space = q.space AND m.handle = h.pk
  LEFT JOIN contacts c ON c.handle = h.pk AND c.other = q.caller
  LEFT JOIN departures d ON d.handle = h.pk AND d.space = q.space`;

/** Skips unknown and retired handles. */
export async function namedHandles(
  session: Session,
  space: number,
  caller: { pk: number; account: number },
  slugs: Iterable<string>,
): Promise<Map<string, NamedHandle>> {
  const rows = [...new Set(slugs)].map((slug) => [slug, space, caller.pk, caller.account]);
  if (rows.length === 0) return new Map();
  const found = await session.all<NamedHandle>(NAMED_HANDLES, [NAMES.bind(rows)]);
  return new Map(found.map((handle) => [handle.slug, handle]));
}

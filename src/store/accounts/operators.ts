/**
 * Stores operators: handles that may read and remove any wire, and suspend any handle
 * (docs/specification/dashboard-operations.md#operators).
 */
import { isoTime } from "../../kernel/clock.js";
import type { Session, SqlValue, Transaction } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, sql } from "../engine/sql.js";

export async function isOperator(session: Session, handle: number): Promise<boolean> {
  const row = await session.get("SELECT 1 FROM handles WHERE pk = ? AND operator_at IS NOT NULL", [handle]);
  return row !== undefined;
}

export async function setOperator(tx: Transaction, handle: number, at: number | null): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE handles SET operator_at = ? WHERE pk = ? AND operator_at IS ${at === null ? "NOT NULL" : "NULL"}`,
    [at, handle],
  );
  return changes > 0;
}

export interface Operator {
  handle: string;
  since: string;
}

export async function listOperators(session: Session): Promise<Operator[]> {
  const rows = await session.all<{ slug: string; operator_at: number }>(
    "SELECT slug, operator_at FROM handles WHERE operator_at IS NOT NULL ORDER BY slug",
  );
  return rows.map((row) => ({ handle: row.slug, since: isoTime(row.operator_at) }));
}

const LISTED = "h.pk, h.account, h.id, h.slug, h.display_name, h.discoverable, h.suspended_at, h.created_at";

export interface ListedHandle {
  pk: number;
  account: number;
  id: string;
  slug: string;
  display_name: string | null;
  discoverable: number;
  suspended_at: number | null;
  created_at: number;
}

export interface HandleFilter {
  /** Lower-case text to find in slugs and display names. */
  text: string | undefined;
  isSuspended: boolean | undefined;
  before: number | undefined;
  limit: number;
}

/** Ignores retired handles. */
export function anyHandles(session: Session, filter: HandleFilter): Promise<ListedHandle[]> {
  const { text, isSuspended, before, limit } = filter;
  const conditions = ["h.retired_at IS NULL"];
  const params: SqlValue[] = [];
  if (text !== undefined) {
    // On both engines, `lower` converts only ASCII letters. SQLite supports no other letters, and
    // PostgreSQL's columns have the collation "C".
    const position = session.engine === "sqlite" ? "instr" : "strpos";
    conditions.push(`(${position}(h.slug, ?) > 0 OR ${position}(lower(h.display_name), ?) > 0)`);
    params.push(text, text);
  }
  if (isSuspended !== undefined) conditions.push(`h.suspended_at IS ${isSuspended ? "NOT NULL" : "NULL"}`);
  if (before !== undefined) {
    conditions.push("h.pk < ?");
    params.push(before);
  }
  return session.all<ListedHandle>(
    `SELECT ${LISTED} FROM handles h WHERE ${conditions.join(" AND ")} ORDER BY h.pk DESC LIMIT ?`,
    [...params, limit],
  );
}

/** Reads only the newest wires, because those of a whole day may be too many. Ignores retired handles. */
export function busiestHandles(session: Session, since: number): Promise<ListedHandle[]> {
  return session.all<ListedHandle>(
    `SELECT ${LISTED} FROM handles h JOIN (
       SELECT sender, count(*) AS wires FROM (SELECT sender, created_at FROM wires ORDER BY pk DESC LIMIT 10000) newest
       WHERE created_at > ? GROUP BY sender
     ) senders ON senders.sender = h.pk
     WHERE h.retired_at IS NULL ORDER BY senders.wires DESC, h.pk DESC LIMIT 10`,
    [since],
  );
}

/** Ignores retired handles. */
export async function otherHandles(
  session: Session,
  { pk, account }: { pk: number; account: number },
): Promise<string[]> {
  const rows = await session.all<{ slug: string }>(
    "SELECT slug FROM handles WHERE account = ? AND pk <> ? AND retired_at IS NULL ORDER BY pk DESC LIMIT 100",
    [account, pk],
  );
  return rows.map(({ slug }) => slug);
}

/** Returns undefined if the audit entry was deleted. */
export function suspensionOf(
  session: Session,
  { pk, account, slug }: { pk: number; account: number; slug: string },
  at: number,
): Promise<{ actor: string; reason: string | null } | undefined> {
  return session.get(
    `SELECT actor, reason FROM audit WHERE account = ? AND at >= ?
       AND (action = 'handle.suspended' AND handle = ? AND subject = ? OR action = 'account.suspended' AND handle IS NULL)
     ORDER BY at, pk LIMIT 1`,
    [account, at, pk, `@${slug}`],
  );
}

export async function isAccountSuspended(session: Session, account: number): Promise<boolean> {
  const row = await session.get("SELECT 1 AS found FROM accounts WHERE pk = ? AND suspended_at IS NOT NULL", [
    account,
  ]);
  return row !== undefined;
}

const RECIPIENTS = sql`SELECT DISTINCT h.pk, h.account FROM ${NUMBERED_INTEGERS.table("wanted")}
    JOIN wires w ON w.pk = wanted.value JOIN handles h ON h.pk = w.recipient ORDER BY h.pk`;

/** Skips wires in spaces. */
export function recipientsOf(
  session: Session,
  wires: readonly number[],
): Promise<{ pk: number; account: number }[]> {
  return session.all(RECIPIENTS, [numberedIntegers(wires)]);
}

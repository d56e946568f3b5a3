/**
 * The approval queue: wires and knocks that are held until a human decides
 * (docs/specification/dashboard-operations.md#approvals).
 */

import type { ErrorEnvelope } from "../../contract/errors.js";
import type { ApprovalStatus } from "../../contract/operations/approvals.js";
import type { Knock, Wire } from "../../contract/shapes.js";
import { DAY } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import type { Session, SqlValue, Transaction } from "../engine/engine.js";
import { LAST_DELETED_APPROVAL } from "../engine/meta.js";
import { RowsParameter, sql } from "../engine/sql.js";

/** A pending approval expires after 14 days (docs/specification/limits.md#times). */
export const APPROVAL_LIFETIME_MS = 14 * DAY;

export interface NewApproval {
  sender: { pk: number; account: number };
  kind: "wire" | "knock";
  target: string;
  /** Id of the held wire or knock. It stays the same when the item is sent. */
  ref: string;
  doc: string;
  /** Null for a knock. */
  senderNo: number | null;
  createdAt: number;
}

const NEW_APPROVALS = new RowsParameter({
  n: "integer",
  id: "text",
  account: "integer",
  handle: "integer",
  kind: "text",
  target: "text",
  ref: "text",
  doc: "text",
  sender_no: "integer",
  created_at: "integer",
});
const NEW_COLUMNS = "id, account, handle, kind, target, ref, doc, sender_no, created_at";
/** Keys of deleted approvals are never reused, because cursors contain them. PostgreSQL uses a sequence. */
const LAST_PK = `max((SELECT coalesce(max(pk), 0) FROM approvals), ${LAST_DELETED_APPROVAL})`;
const INSERT = sql`INSERT INTO approvals (${{ sqlite: "pk, ", postgres: "" }}${NEW_COLUMNS}, status)
  SELECT ${{ sqlite: `${LAST_PK} + n, `, postgres: "" }}${NEW_COLUMNS}, 'pending' FROM ${NEW_APPROVALS.table("q")}`;

/**
 * Adds wires and knocks to the approval queue. Locks the account's queue until the commit, so that primary
 * keys increase in commit order. To avoid deadlocks, the caller must take no lock after this.
 */
export async function addApprovals(tx: Transaction, held: readonly NewApproval[]): Promise<void> {
  const accounts = [...new Set(held.map(({ sender }) => sender.account))];
  await tx.lock("approvals", "pk", accounts);
  const rows = held.map((h, index) => [
    index + 1,
    newId(),
    h.sender.account,
    h.sender.pk,
    h.kind,
    h.target,
    h.ref,
    h.doc,
    h.senderNo,
    h.createdAt,
  ]);
  tx.enqueue(INSERT, [NEW_APPROVALS.bind(rows)]);
  for (const account of accounts) tx.publish({ topic: "approvals", account });
}

export interface StoredApproval {
  pk: number;
  id: string;
  account: number;
  sender: { pk: number; id: string; slug: string; isActive: boolean };
  kind: "wire" | "knock";
  target: string;
  ref: string;
  /** The Wire or Knock as JSON; null for a wire that was sent. */
  doc: string | null;
  senderNo: number | null;
  status: ApprovalStatus;
  /** The human's comment on the decision. */
  note: string | null;
  /** Why an approved item could not be sent. */
  error: ErrorEnvelope | null;
  createdAt: number;
  decidedAt: number | null;
}

export interface ApprovalRow extends Omit<StoredApproval, "sender" | "error"> {
  handle: number;
  handleId: string;
  slug: string;
  isActive: number;
  error: string | null;
}

export const APPROVAL_COLUMNS = `a.pk, a.id, a.account, a.handle, h.id AS "handleId", h.slug,
  CASE WHEN h.suspended_at IS NULL AND h.retired_at IS NULL THEN 1 ELSE 0 END AS "isActive",
  a.kind, a.target, a.ref, a.doc,
  a.sender_no AS "senderNo", a.status, a.note, a.error, a.created_at AS "createdAt", a.decided_at AS "decidedAt"`;

/** @param at current time, which decides whether a pending approval has expired */
export function toApproval(
  { handle, handleId, slug, isActive, error, ...row }: ApprovalRow,
  at: number,
): StoredApproval {
  const isExpired = row.status === "pending" && row.createdAt <= at - APPROVAL_LIFETIME_MS;
  return {
    ...row,
    sender: { pk: handle, id: handleId, slug, isActive: isActive === 1 },
    status: isExpired ? "expired" : row.status,
    error: error === null ? null : (JSON.parse(error) as ErrorEnvelope),
  };
}

async function findOne(
  session: Session,
  condition: string,
  params: SqlValue[],
  at: number,
): Promise<StoredApproval | undefined> {
  const row = await session.get<ApprovalRow>(
    `SELECT ${APPROVAL_COLUMNS} FROM approvals a JOIN handles h ON h.pk = a.handle WHERE ${condition}`,
    params,
  );
  return row && toApproval(row, at);
}

export function approvalById(session: Session, id: string, at: number): Promise<StoredApproval | undefined> {
  return findOne(session, "a.id = ?", [id], at);
}

export function approvalByWireId(
  session: Session,
  id: string,
  sender: number,
  at: number,
): Promise<StoredApproval | undefined> {
  return findOne(session, "a.ref = ? AND a.kind = 'wire' AND a.handle = ?", [id, sender], at);
}

export function pendingHeldKnock(
  session: Session,
  sender: number,
  target: string,
  at: number,
): Promise<StoredApproval | undefined> {
  return findOne(
    session,
    "a.handle = ? AND a.kind = 'knock' AND a.created_at > ? AND a.target = ? AND a.status = 'pending'",
    [sender, at - APPROVAL_LIFETIME_MS, target],
    at,
  );
}

export async function approvalsOfHandle(
  session: Session,
  handle: number,
  after: number,
  limit: number,
  at: number,
): Promise<StoredApproval[]> {
  const rows = await session.all<ApprovalRow>(
    `SELECT ${APPROVAL_COLUMNS} FROM approvals a JOIN handles h ON h.pk = a.handle
     WHERE a.handle = ? AND a.pk > ? ORDER BY a.pk LIMIT ?`,
    [handle, after, limit],
  );
  return rows.map((row) => toApproval(row, at));
}

/** Returns false if the approval is no longer pending. */
export async function resolveApproval(
  tx: Transaction,
  { pk, account }: StoredApproval,
  status: "approved" | "rejected" | "withdrawn",
  at: number,
  note: string | null = null,
): Promise<boolean> {
  const { changes } = await tx.run(
    "UPDATE approvals SET status = ?, decided_at = ?, note = ? WHERE pk = ? AND status = 'pending'",
    [status, at, note, pk],
  );
  tx.publish({ topic: "approvals", account });
  return changes > 0;
}

/** Clears the JSON, because the table `wires` now contains it. */
export async function markSent(tx: Transaction, pk: number): Promise<void> {
  await tx.run(
    "UPDATE approvals SET doc = NULL, sender_no = NULL, wire = (SELECT w.pk FROM wires w WHERE w.id = approvals.ref) WHERE pk = ?",
    [pk],
  );
}

const NAME_SENT = `UPDATE approvals SET wire = (SELECT w.pk FROM wires w WHERE w.id = approvals.ref) WHERE pk IN (
  SELECT a.pk FROM approvals a JOIN wires w ON w.id = a.ref
  WHERE a.kind = 'wire' AND a.status = 'approved' AND a.doc IS NULL AND a.wire IS NULL LIMIT ?)`;

/** Sets `wire` of approvals that an older daemon, which does not know this column, sent during an update. */
export async function nameSentWires(tx: Transaction, _at: number, limit: number): Promise<number> {
  // On SQLite, the migration has already set `wire`, because only one version runs at a time.
  if (tx.engine === "sqlite") return 0;
  return (await tx.run(NAME_SENT, [limit])).changes;
}

export async function markFailed(tx: Transaction, pk: number, error: ErrorEnvelope): Promise<void> {
  await tx.run("UPDATE approvals SET error = ? WHERE pk = ?", [JSON.stringify(error), pk]);
}

/** @param doc the wire's JSON without the deleted content */
export async function eraseUnsentWire(
  tx: Transaction,
  { pk, error }: StoredApproval,
  doc: string,
): Promise<void> {
  // Drop the error's details, because they quote the payload.
  const left = error && { code: error.code, message: "the wire could not be sent, and was deleted since" };
  await tx.run("UPDATE approvals SET doc = ?, error = ? WHERE pk = ?", [
    doc,
    left && JSON.stringify(left),
    pk,
  ]);
}

/**
 * Clears an approval that cannot be deleted, because it is the newest and its primary key must not be reused.
 */
export async function clearApproval(tx: Transaction, pk: number, at: number): Promise<void> {
  const row = await tx.get<{ doc: string }>("SELECT doc FROM approvals WHERE pk = ? AND doc IS NOT NULL", [
    pk,
  ]);
  if (!row) return;
  const item = JSON.parse(row.doc) as Wire | Knock;
  const doc = JSON.stringify(
    "intro" in item ? { ...item, intro: "" } : { ...item, text_body: null, payload: null },
  );
  if (doc === row.doc) return;
  await tx.run(
    "UPDATE approvals SET doc = ?, error = NULL, note = NULL, status = 'withdrawn', decided_at = coalesce(decided_at, ?) WHERE pk = ?",
    [doc, at, pk],
  );
}

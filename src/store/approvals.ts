/**
 * The approval queue: wires and knocks that are held until a human decides
 * (docs/specification/dashboard-operations.md#approvals).
 */

import type { ErrorEnvelope } from "../contract/errors.js";
import type { ApprovalStatus } from "../contract/operations/approvals.js";
import { cutPage, type Page } from "../contract/page-size.js";
import { DAY } from "../kernel/clock.js";
import { newId } from "../kernel/ids.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, perEngine, RowsParameter } from "./engine/sql.js";

/** A pending approval expires after 14 days (docs/specification/limits.md#times). */
const APPROVAL_LIFETIME_MS = 14 * DAY;

export interface NewApproval {
  sender: { pk: number; account: number };
  kind: "wire" | "knock";
  /** `@slug` or `#slug`. */
  target: string;
  /** Id of the held wire or knock, which keeps this id when it is sent. */
  ref: string;
  /** The Wire or Knock as JSON. */
  doc: string;
  /** Number of the wire, counted per sender. Null for a knock. */
  senderNo: number | null;
  createdAt: number;
}

const NEW_APPROVALS = new RowsParameter({
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
const INSERT = perEngine(
  (engine) => `
  INSERT INTO approvals (${NEW_COLUMNS}, status) SELECT ${NEW_COLUMNS}, 'pending' FROM ${NEW_APPROVALS.table(engine, "new_approvals")}`,
);

/** Queues a write that adds wires and knocks to the approval queue. */
export function enqueueApprovals(tx: Transaction, held: readonly NewApproval[]): void {
  const rows = held.map((h) => [
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
  for (const account of new Set(held.map(({ sender }) => sender.account)))
    tx.publish({ topic: "approvals", account });
}

export interface StoredApproval {
  pk: number;
  id: string;
  /** Primary key of the account that owns the sending handle. */
  account: number;
  sender: { pk: number; id: string; slug: string; isActive: boolean };
  kind: "wire" | "knock";
  target: string;
  ref: string;
  /** The Wire or Knock as JSON; null after a wire was sent. */
  doc: string | null;
  senderNo: number | null;
  status: ApprovalStatus;
  /** The error of an item that was approved but could not be sent. Null for all other items. */
  error: ErrorEnvelope | null;
  createdAt: number;
  decidedAt: number | null;
}

interface Row {
  pk: number;
  id: string;
  account: number;
  handle: number;
  handle_id: string;
  slug: string;
  is_active: number;
  kind: "wire" | "knock";
  target: string;
  ref: string;
  doc: string | null;
  sender_no: number | null;
  status: Exclude<ApprovalStatus, "expired">;
  error: string | null;
  created_at: number;
  decided_at: number | null;
}

const COLUMNS = `a.pk, a.id, a.account, a.handle, h.id AS handle_id, h.slug,
  CASE WHEN h.suspended_at IS NULL AND h.retired_at IS NULL THEN 1 ELSE 0 END AS is_active,
  a.kind, a.target, a.ref, a.doc, a.sender_no, a.status, a.error, a.created_at, a.decided_at`;

/** @param at current time, used to check whether a pending approval has expired */
function toApproval(row: Row, at: number): StoredApproval {
  const expired = row.status === "pending" && row.created_at <= at - APPROVAL_LIFETIME_MS;
  return {
    pk: row.pk,
    id: row.id,
    account: row.account,
    sender: { pk: row.handle, id: row.handle_id, slug: row.slug, isActive: row.is_active === 1 },
    kind: row.kind,
    target: row.target,
    ref: row.ref,
    doc: row.doc,
    senderNo: row.sender_no,
    status: expired ? "expired" : row.status,
    error: row.error === null ? null : (JSON.parse(row.error) as ErrorEnvelope),
    createdAt: row.created_at,
    decidedAt: row.decided_at,
  };
}

async function findOne(
  session: Session,
  condition: string,
  params: SqlValue[],
  at: number,
): Promise<StoredApproval | undefined> {
  const row = await session.get<Row>(
    `SELECT ${COLUMNS} FROM approvals a JOIN handles h ON h.pk = a.handle WHERE ${condition}`,
    params,
  );
  return row && toApproval(row, at);
}

export function approvalById(session: Session, id: string, at: number): Promise<StoredApproval | undefined> {
  return findOne(session, "a.id = ?", [id], at);
}

/** Returns the approval for a wire of `sender`, in any status. */
export function approvalByWireId(
  session: Session,
  id: string,
  sender: number,
  at: number,
): Promise<StoredApproval | undefined> {
  return findOne(session, "a.ref = ? AND a.kind = 'wire' AND a.handle = ?", [id, sender], at);
}

/** Returns the pending approval for a knock from `sender` to `target`, if there is one. */
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

export interface ApprovalQuery {
  account: number;
  handle: number | undefined;
  status: ApprovalStatus | undefined;
  /**
   * Position of the last approval of the previous page. `isPending` is 1 or 0, because pending approvals are listed
   * first.
   */
  after: { isPending: number; pk: number } | undefined;
  limit: number;
  at: number;
}

/**
 * Returns a page of the approvals of an account: first the pending ones, then the others, each newest first. The page may be
 * slightly larger than allowed, because only the wires and errors are measured.
 */
export async function listApprovals(
  session: Session,
  query: ApprovalQuery,
): Promise<Page<{ position: [isPending: number, pk: number]; approval: StoredApproval }>> {
  const { status, after, limit, at } = query;
  const noBound = Number.MAX_SAFE_INTEGER;
  const parts: Part[] = [];
  if (status === undefined || status === "pending") {
    parts.push(buildPart(query, 1, after ? (after.isPending ? after.pk : 0) : noBound));
  }
  if (status !== "pending") {
    parts.push(buildPart(query, 0, after && !after.isPending ? after.pk : noBound));
  }
  const sizes = await session.all<{ pk: number; is_pending: number; bytes: number }>(
    `SELECT page.pk, page.is_pending, coalesce(octet_length(a.doc), octet_length(w.doc), 0) + coalesce(octet_length(a.error), 0) AS bytes
     FROM (${parts.map(({ sql }) => sql).join(" UNION ALL ")}) page
     JOIN approvals a ON a.pk = page.pk LEFT JOIN wires w ON w.id = a.ref
     ORDER BY page.is_pending DESC, a.pk DESC LIMIT ?`,
    [...parts.flatMap(({ params }) => params), limit + 1],
  );
  const page = cutPage(sizes, limit, ({ bytes }) => bytes);
  const rows = await session.all<Row>(BY_PK, [numberedIntegers(page.items.map(({ pk }) => pk))]);
  const items = page.items.map(({ pk, is_pending }, n) => ({
    position: [is_pending, pk] as [number, number],
    approval: toApproval(rows[n]!, at),
  }));
  return { items, hasMore: page.hasMore };
}

const BY_PK = perEngine(
  (engine) => `SELECT ${COLUMNS} FROM ${NUMBERED_INTEGERS.table(engine, "wanted")}
    JOIN approvals a ON a.pk = wanted.value JOIN handles h ON h.pk = a.handle ORDER BY wanted.n`,
);

interface Part {
  sql: string;
  params: SqlValue[];
}

/**
 * Builds the SELECT for one part of the list: the pending approvals, or all others. It returns only approvals with a
 * primary key less than `below`.
 */
function buildPart(
  { account, handle, status, limit, at }: ApprovalQuery,
  isPending: 0 | 1,
  below: number,
): Part {
  const expiredBefore = at - APPROVAL_LIFETIME_MS;
  const conditions = ["account = ?", "pk < ?"];
  const params: SqlValue[] = [account, below];
  const addCondition = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (isPending) addCondition("status = 'pending' AND created_at > ?", expiredBefore);
  else addCondition("(status <> 'pending' OR created_at <= ?)", expiredBefore);
  if (handle !== undefined) addCondition("handle = ?", handle);
  if (status !== undefined) addCondition("status = ?", status === "expired" ? "pending" : status);
  const sql = `SELECT * FROM (SELECT pk, ${isPending} AS is_pending FROM approvals
    WHERE ${conditions.join(" AND ")} ORDER BY pk DESC LIMIT ?) ${isPending ? "pending" : "decided"}`;
  return { sql, params: [...params, limit + 1] };
}

/** Returns the approvals of a handle whose primary key is greater than `after`, oldest first. */
export async function approvalsOfHandle(
  session: Session,
  handle: number,
  after: number,
  limit: number,
  at: number,
): Promise<StoredApproval[]> {
  const rows = await session.all<Row>(
    `SELECT ${COLUMNS} FROM approvals a JOIN handles h ON h.pk = a.handle
     WHERE a.handle = ? AND a.pk > ? ORDER BY a.pk LIMIT ?`,
    [handle, after, limit],
  );
  return rows.map((row) => toApproval(row, at));
}

/** Sets the status of a pending approval. Returns false if the approval is no longer pending. */
export async function resolveApproval(
  tx: Transaction,
  pk: number,
  status: "approved" | "rejected" | "withdrawn",
  at: number,
): Promise<boolean> {
  const { changes } = await tx.run(
    "UPDATE approvals SET status = ?, decided_at = ? WHERE pk = ? AND status = 'pending'",
    [status, at, pk],
  );
  return changes > 0;
}

/** Clears the JSON and the number of an approved wire in the approval queue, because the table `wires` now contains both. */
export async function markSent(tx: Transaction, pk: number): Promise<void> {
  await tx.run("UPDATE approvals SET doc = NULL, sender_no = NULL WHERE pk = ?", [pk]);
}

/** Stores why an approved item could not be sent. */
export async function markFailed(tx: Transaction, pk: number, error: ErrorEnvelope): Promise<void> {
  await tx.run("UPDATE approvals SET error = ? WHERE pk = ?", [JSON.stringify(error), pk]);
}

/** Replaces the JSON of a held wire, for example with its tombstone. */
export async function replaceApprovalDoc(tx: Transaction, pk: number, doc: string): Promise<void> {
  await tx.run("UPDATE approvals SET doc = ? WHERE pk = ?", [doc, pk]);
}

/** Withdraws all pending approvals of a handle. */
export async function withdrawPendingApprovals(tx: Transaction, handle: number, at: number): Promise<void> {
  await tx.run(
    `UPDATE approvals SET status = 'withdrawn', decided_at = ?
     WHERE handle = ? AND status = 'pending' AND created_at > ?`,
    [at, handle, at - APPROVAL_LIFETIME_MS],
  );
}

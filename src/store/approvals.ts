/** The approval queue: wires and knocks that are or were held (decisions, section 9). */

import type { ErrorEnvelope } from "../contract/errors.js";
import type { ApprovalStatus } from "../contract/operations/approvals.js";
import { DAY } from "../kernel/clock.js";
import { newId } from "../kernel/ids.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import { RowsOf, written } from "./engine/sql.js";

/** A pending approval expires after 14 days (decisions, section 9). */
const APPROVAL_LIFETIME = 14 * DAY;

/** A wire or knock that is to be held. */
export interface NewHeld {
  sender: { pk: number; account: number };
  kind: "wire" | "knock";
  /** `@slug` or `#slug`. */
  target: string;
  /** Id of the wire or knock, which it keeps when it is sent. */
  ref: string;
  /** The Wire or Knock as JSON. */
  doc: string;
  /** Number of the wire in the sender's log; null for a knock. */
  senderNo: number | null;
  createdAt: number;
}

const HELD = new RowsOf({
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
const HELD_COLUMNS = "id, account, handle, kind, target, ref, doc, sender_no, created_at";
const HOLD = written(
  (engine) => `
  INSERT INTO approvals (${HELD_COLUMNS}, status) SELECT ${HELD_COLUMNS}, 'pending' FROM ${HELD.as(engine, "held")}`,
);

/** Holds wires and knocks. */
export function insertHeld(tx: Transaction, held: readonly NewHeld[]): void {
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
  tx.enqueue(HOLD, [HELD.bind(rows)]);
}

export interface StoredApproval {
  pk: number;
  id: string;
  /** pk of the owner of the handle that sends. */
  account: number;
  sender: { pk: number; id: string; slug: string; isActive: boolean };
  kind: "wire" | "knock";
  target: string;
  ref: string;
  /** The Wire or Knock as JSON; null for a wire that was sent, as it is a wire like any other then. */
  doc: string | null;
  senderNo: number | null;
  status: ApprovalStatus;
  /** Why it could not be sent although it was approved. */
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

/** @param at the moment as of which it is read: one past its time reads as expired */
function toApproval(row: Row, at: number): StoredApproval {
  const expired = row.status === "pending" && row.created_at <= at - APPROVAL_LIFETIME;
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

async function one(
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
  return one(session, "a.id = ?", [id], at);
}

/** What was held under the id of a wire that `sender` handed in, whatever became of it. */
export function heldWireById(
  session: Session,
  id: string,
  sender: number,
  at: number,
): Promise<StoredApproval | undefined> {
  return one(session, "a.ref = ? AND a.kind = 'wire' AND a.handle = ?", [id, sender], at);
}

/** The knock of `sender` to `target` that waits for its answer. */
export function pendingHeldKnock(
  session: Session,
  sender: number,
  target: string,
  at: number,
): Promise<StoredApproval | undefined> {
  return one(
    session,
    "a.handle = ? AND a.kind = 'knock' AND a.created_at > ? AND a.target = ? AND a.status = 'pending'",
    [sender, at - APPROVAL_LIFETIME, target],
    at,
  );
}

export interface ApprovalQuery {
  account: number;
  handle: number | undefined;
  status: ApprovalStatus | undefined;
  /** Only what comes after this one: `isPending` is 1 for pending ones, which come first. */
  after: { isPending: number; pk: number } | undefined;
  limit: number;
  at: number;
}

/** Approvals of an account: pending ones first, each part newest first. */
export async function listApprovals(session: Session, query: ApprovalQuery): Promise<StoredApproval[]> {
  const { status, after, limit, at } = query;
  const everything = Number.MAX_SAFE_INTEGER;
  const parts: Part[] = [];
  if (status === undefined || status === "pending") {
    parts.push(part(query, 1, after ? (after.isPending ? after.pk : 0) : everything));
  }
  if (status !== "pending") {
    parts.push(part(query, 0, after && !after.isPending ? after.pk : everything));
  }
  const rows = await session.all<Row>(
    `SELECT ${COLUMNS} FROM (${parts.map(({ sql }) => sql).join(" UNION ALL ")}) page
     JOIN approvals a ON a.pk = page.pk JOIN handles h ON h.pk = a.handle
     ORDER BY page.is_pending DESC, a.pk DESC LIMIT ?`,
    [...parts.flatMap(({ params }) => params), limit],
  );
  return rows.map((row) => toApproval(row, at));
}

interface Part {
  sql: string;
  params: SqlValue[];
}

/** Those that are pending, or those that are not, below a pk. */
function part({ account, handle, status, limit, at }: ApprovalQuery, isPending: 0 | 1, below: number): Part {
  const lastAlive = at - APPROVAL_LIFETIME;
  const conditions = ["account = ?", "pk < ?"];
  const params: SqlValue[] = [account, below];
  const only = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (isPending) only("status = 'pending' AND created_at > ?", lastAlive);
  else only("(status <> 'pending' OR created_at <= ?)", lastAlive);
  if (handle !== undefined) only("handle = ?", handle);
  if (status !== undefined) only("status = ?", status === "expired" ? "pending" : status);
  const sql = `SELECT * FROM (SELECT pk, ${isPending} AS is_pending FROM approvals
    WHERE ${conditions.join(" AND ")} ORDER BY pk DESC LIMIT ?) ${isPending ? "pending" : "settled"}`;
  return { sql, params: [...params, limit] };
}

/** Every approval of a handle, oldest first, after a pk. */
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

/** Settles a pending one; false where it was settled meanwhile. */
export async function settleApproval(
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

/** The wire of an approval is a wire like any other from now on. */
export async function markSent(tx: Transaction, pk: number): Promise<void> {
  await tx.run("UPDATE approvals SET doc = NULL, sender_no = NULL WHERE pk = ?", [pk]);
}

/** What was approved could not be sent after all. */
export async function markFailed(tx: Transaction, pk: number, error: ErrorEnvelope): Promise<void> {
  await tx.run("UPDATE approvals SET error = ? WHERE pk = ?", [JSON.stringify(error), pk]);
}

/** Replaces what is held by what is left of it. */
export async function replaceHeld(tx: Transaction, pk: number, doc: string): Promise<void> {
  await tx.run("UPDATE approvals SET doc = ? WHERE pk = ?", [doc, pk]);
}

/** Nothing that a handle wanted to send is sent any more. */
export async function withdrawAll(tx: Transaction, handle: number, at: number): Promise<void> {
  await tx.run(
    `UPDATE approvals SET status = 'withdrawn', decided_at = ?
     WHERE handle = ? AND status = 'pending' AND created_at > ?`,
    [at, handle, at - APPROVAL_LIFETIME],
  );
}

/** Lists the approval queue (docs/specification/dashboard-operations.md#approvals). */
import { APPROVAL_STATUSES, type ApprovalStatus } from "../../contract/operations/approvals.js";
import { cutPage, type Page } from "../../contract/page-size.js";
import type { Position } from "../../kernel/cursor.js";
import type { Session, SqlValue } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, sql } from "../engine/sql.js";
import {
  APPROVAL_COLUMNS,
  APPROVAL_LIFETIME_MS,
  type ApprovalRow,
  type StoredApproval,
  toApproval,
} from "./approvals.js";

export interface ApprovalQuery {
  account: number;
  handle: number | undefined;
  status: ApprovalStatus | undefined;
  /** Position of the previous page's last approval. `isPending` is 1 or 0. */
  after: { isPending: number; pk: number } | undefined;
  limit: number;
  at: number;
}

/** An approval that was deleted while the page was read is undefined. */
type ApprovalPage = Page<{ position: Position; approval: StoredApproval | undefined }>;

/**
 * Returns pending approvals first, then the others, both newest first. The page may slightly exceed its
 * maximum size, because only wires and errors are measured.
 */
export async function approvalPage(session: Session, query: ApprovalQuery): Promise<ApprovalPage> {
  const { status, after, limit, at } = query;
  const noBound = Number.MAX_SAFE_INTEGER;
  const parts = (status === undefined ? APPROVAL_STATUSES : [status]).map((each) => {
    if (each === "pending") return buildPart(query, each, after ? (after.isPending ? after.pk : 0) : noBound);
    return buildPart(query, each, after && !after.isPending ? after.pk : noBound);
  });
  const sizes = await session.all<{ pk: number; is_pending: number; bytes: number }>(
    `SELECT page.pk, page.is_pending, coalesce(octet_length(a.doc), octet_length(w.doc), 0) + coalesce(octet_length(a.error), 0) AS bytes
     FROM (${parts.map(({ sql }) => sql).join(" UNION ALL ")}) page
     JOIN approvals a ON a.pk = page.pk LEFT JOIN wires w ON w.id = a.ref
     ORDER BY page.is_pending DESC, a.pk DESC LIMIT ?`,
    [...parts.flatMap(({ params }) => params), limit + 1],
  );
  return loadPage(session, sizes, limit, at, ({ pk, is_pending }) => [is_pending, pk]);
}

export async function pendingApprovalPage(
  session: Session,
  query: Pick<ApprovalQuery, "account" | "handle" | "limit" | "at"> & { after: number },
): Promise<ApprovalPage> {
  const { account, handle, after, limit, at } = query;
  const ofHandle = handle === undefined ? "" : "AND a.handle = ?";
  const sizes = await session.all<{ pk: number; bytes: number }>(
    `SELECT a.pk, octet_length(a.doc) AS bytes FROM approvals a
     WHERE a.account = ? AND a.pk > ? AND a.status = 'pending' AND a.created_at > ? ${ofHandle} ORDER BY a.pk LIMIT ?`,
    [account, after, at - APPROVAL_LIFETIME_MS, ...(handle === undefined ? [] : [handle]), limit + 1],
  );
  return loadPage(session, sizes, limit, at, ({ pk }) => [pk]);
}

const MAX_UNDECIDED = 1_000;

/**
 * Returns the primary keys of the newest approvals up to `last` without a decision. Includes expired ones, so
 * it needs only an index.
 */
export async function undecidedApprovals(
  session: Session,
  { account, handle, last }: Pick<ApprovalQuery, "account" | "handle"> & { last: number },
): Promise<number[]> {
  const ofHandle = handle === undefined ? "" : "AND handle = ?";
  const rows = await session.all<{ pk: number }>(
    `SELECT pk FROM approvals WHERE account = ? AND pk <= ? AND status = 'pending' ${ofHandle}
     ORDER BY pk DESC LIMIT ${MAX_UNDECIDED}`,
    [account, last, ...(handle === undefined ? [] : [handle])],
  );
  return rows.map(({ pk }) => pk);
}

async function loadPage<Size extends { pk: number; bytes: number }>(
  session: Session,
  sizes: readonly Size[],
  limit: number,
  at: number,
  position: (size: Size) => Position,
): Promise<ApprovalPage> {
  // Long polls often find nothing, so skip the second query for them.
  if (sizes.length === 0) return { items: [], hasMore: false };
  const page = cutPage(sizes, limit, ({ bytes }) => bytes);
  const rows = await session.all<ApprovalRow>(BY_PK, [numberedIntegers(page.items.map(({ pk }) => pk))]);
  const approvals = new Map(rows.map((row) => [row.pk, toApproval(row, at)]));
  const items = page.items.map((size) => ({
    position: position(size),
    approval: approvals.get(size.pk),
  }));
  return { items, hasMore: page.hasMore };
}

const BY_PK = sql`SELECT ${APPROVAL_COLUMNS} FROM ${NUMBERED_INTEGERS.table("wanted")}
    JOIN approvals a ON a.pk = wanted.value JOIN handles h ON h.pk = a.handle`;

interface Part {
  sql: string;
  params: SqlValue[];
}

/**
 * Reads approvals of one status from an index. The index cannot tell pending from expired approvals, because
 * their stored status is the same.
 */
function buildPart(
  { account, handle, limit, at }: ApprovalQuery,
  status: ApprovalStatus,
  below: number,
): Part {
  const isPending = status === "pending";
  const conditions = ["account = ?", "status = ?", "pk < ?"];
  const params: SqlValue[] = [account, status === "expired" ? "pending" : status, below];
  if (isPending || status === "expired") {
    conditions.push(`created_at ${isPending ? ">" : "<="} ?`);
    params.push(at - APPROVAL_LIFETIME_MS);
  }
  if (handle !== undefined) {
    conditions.push("handle = ?");
    params.push(handle);
  }
  const sql = `SELECT * FROM (SELECT pk, ${isPending ? 1 : 0} AS is_pending FROM approvals
    WHERE ${conditions.join(" AND ")} ORDER BY pk DESC LIMIT ?) ${status}`;
  return { sql, params: [...params, limit + 1] };
}

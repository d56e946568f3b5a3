/** Stores knocks: requests to become another handle's contact (docs/specification/knocks.md#knocks). */
import type { Knock } from "../contract/shapes.js";
import { DAY, isoTime, isoTimeOrNull } from "../kernel/clock.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import { sql, TEXTS, texts } from "./engine/sql.js";

/** A pending knock expires after 14 days (docs/specification/limits.md#times). */
export const KNOCK_LIFETIME_MS = 14 * DAY;

export interface KnockRow extends Omit<Knock, "created_at" | "decided_at"> {
  pk: number;
  sender: number;
  target: number;
  created_at: number;
  decided_at: number | null;
}

export interface StoredKnock {
  pk: number;
  sender: number;
  target: number;
  decidedAt: number | null;
  resource: Knock;
}

export const KNOCK_SELECT = `SELECT k.pk, k.sender, k.target, k.id, f.id AS from_handle_id, t.id AS to_handle_id,
  f.slug AS "from", t.slug AS "to", k.intro,
  k.status, k.created_at, k.decided_at
  FROM knocks k JOIN handles f ON f.pk = k.sender JOIN handles t ON t.pk = k.target`;

/** @param at current time, which decides whether a pending knock has expired */
export function toKnock(row: KnockRow, at: number): StoredKnock {
  const { pk, sender, target, decided_at: decidedAt, ...fields } = row;
  const expired = row.status === "pending" && row.created_at + KNOCK_LIFETIME_MS <= at;
  const resource: Knock = {
    ...fields,
    status: expired ? "expired" : row.status,
    created_at: isoTime(row.created_at),
    decided_at: isoTimeOrNull(decidedAt),
  };
  return { pk, sender, target, decidedAt, resource };
}

export async function knockById(session: Session, id: string, at: number): Promise<StoredKnock | undefined> {
  const row = await session.get<KnockRow>(`${KNOCK_SELECT} WHERE k.id = ?`, [id]);
  return row && toKnock(row, at);
}

const BY_ID = sql`${KNOCK_SELECT} WHERE k.id IN (SELECT value FROM ${TEXTS.table("wanted")})`;

/** Skips unknown ids. */
export async function knocksById(
  session: Session,
  ids: readonly string[],
  at: number,
): Promise<Map<string, Knock>> {
  const rows = await session.all<KnockRow>(BY_ID, [texts(ids)]);
  return new Map(rows.map((row) => [row.id, toKnock(row, at).resource]));
}

export async function latestKnock(
  session: Session,
  sender: number,
  target: number,
  at: number,
): Promise<StoredKnock | undefined> {
  const row = await session.get<KnockRow>(
    `${KNOCK_SELECT} WHERE k.sender = ? AND k.target = ? ORDER BY k.pk DESC LIMIT 1`,
    [sender, target],
  );
  return row && toKnock(row, at);
}

export async function insertKnock(
  tx: Transaction,
  knock: { id: string; sender: number; target: number; intro: string; createdAt: number },
): Promise<number> {
  const row = await tx.get<{ pk: number }>(
    `INSERT INTO knocks (id, sender, target, intro, status, created_at) VALUES (?, ?, ?, ?, 'pending', ?) RETURNING pk`,
    [knock.id, knock.sender, knock.target, knock.intro, knock.createdAt],
  );
  return row!.pk;
}

/** Returns false if the knock is no longer pending. */
export async function setKnockStatus(
  tx: Transaction,
  id: string,
  status: "accepted" | "rejected",
  at: number,
): Promise<boolean> {
  const row = await tx.get(
    "UPDATE knocks SET status = ?, decided_at = ? WHERE id = ? AND status = 'pending' RETURNING id",
    [status, at, id],
  );
  return row !== undefined;
}

export interface KnockQuery {
  direction: "received" | "sent";
  status: Knock["status"] | undefined;
  /** Only knocks with a lower primary key are returned. */
  before: number | undefined;
  limit: number;
  at: number;
}

export async function knocksOf(
  session: Session,
  handle: number,
  { direction, status, before = Number.MAX_SAFE_INTEGER, limit, at }: KnockQuery,
): Promise<StoredKnock[]> {
  const column = direction === "received" ? "target" : "sender";
  const parts = partsOf(status, at).map(({ condition, params }) => ({
    sql: `SELECT * FROM (SELECT pk FROM knocks WHERE ${column} = ? AND pk < ? ${condition} ORDER BY pk DESC LIMIT ?) part`,
    params: [handle, before, ...params, limit],
  }));
  const rows = await session.all<KnockRow>(
    `${KNOCK_SELECT} WHERE k.pk IN (${parts.map(({ sql }) => sql).join(" UNION ALL ")}) ORDER BY k.pk DESC LIMIT ?`,
    [...parts.flatMap(({ params }) => params), limit],
  );
  return rows.map((row) => toKnock(row, at));
}

/**
 * Returns conditions that together select the knocks of one status. An index finds the knocks of each
 * condition without reading others.
 */
function partsOf(
  status: Knock["status"] | undefined,
  at: number,
): { condition: string; params: SqlValue[] }[] {
  const expiredBefore = at - KNOCK_LIFETIME_MS;
  if (status === undefined) return [{ condition: "", params: [] }];
  if (status === "pending")
    return [{ condition: "AND status = 'pending' AND created_at > ?", params: [expiredBefore] }];
  const stored = { condition: "AND status = ?", params: [status] };
  if (status !== "expired") return [stored];
  // The status 'expired' is stored only after the sender or target was retired. Other expired knocks are
  // recognised by their age.
  return [stored, { condition: "AND status = 'pending' AND created_at <= ?", params: [expiredBefore] }];
}

import type { Knock } from "../contract/shapes.js";
import { DAY, isoTime } from "../kernel/clock.js";
import type { Session, SqlValue, Transaction } from "./engine/engine.js";
import { TEXTS, texts, written } from "./engine/sql.js";

/** A pending knock expires after 14 days (decisions, section 6). */
export const KNOCK_LIFETIME = 14 * DAY;

export interface KnockRow {
  pk: number;
  sender: number;
  target: number;
  id: string;
  from_handle_id: string;
  from: string;
  to: string;
  to_handle_id: string;
  intro: string;
  status: Knock["status"];
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

/** @param at the moment as of which the knock is read: one past its time reads as expired, swept or not */
export function toKnock(row: KnockRow, at: number): StoredKnock {
  const { pk, sender, target, decided_at: decidedAt } = row;
  const expired = row.status === "pending" && row.created_at + KNOCK_LIFETIME <= at;
  const resource: Knock = {
    id: row.id,
    from_handle_id: row.from_handle_id,
    to_handle_id: row.to_handle_id,
    from: row.from,
    to: row.to,
    intro: row.intro,
    status: expired ? "expired" : row.status,
    created_at: isoTime(row.created_at),
    decided_at: decidedAt === null ? null : isoTime(decidedAt),
  };
  return { pk, sender, target, decidedAt, resource };
}

export async function knockById(session: Session, id: string, at: number): Promise<StoredKnock | undefined> {
  const row = await session.get<KnockRow>(`${KNOCK_SELECT} WHERE k.id = ?`, [id]);
  return row && toKnock(row, at);
}

const BY_ID = written(
  (engine) => `${KNOCK_SELECT} WHERE k.id IN (SELECT value FROM ${TEXTS.as(engine, "wanted")})`,
);

/** Knocks of these ids, by id; those that do not exist are left out. */
export async function knocksById(
  session: Session,
  ids: readonly string[],
  at: number,
): Promise<Map<string, Knock>> {
  const rows = await session.all<KnockRow>(BY_ID, [texts(ids)]);
  return new Map(rows.map((row) => [row.id, toKnock(row, at).resource]));
}

/** The newest knock from one handle to another, whatever its state. */
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

/** Decides a pending knock; gives its id, or undefined where it was not pending any more. */
export async function decideKnock(
  tx: Transaction,
  pk: number,
  status: "accepted" | "rejected",
  at: number,
): Promise<string | undefined> {
  const row = await tx.get<{ id: string }>(
    "UPDATE knocks SET status = ?, decided_at = ? WHERE pk = ? AND status = 'pending' RETURNING id",
    [status, at, pk],
  );
  return row?.id;
}

export interface KnockQuery {
  direction: "received" | "sent";
  status: Knock["status"] | undefined;
  /** Only knocks older than this pk. */
  before: number | undefined;
  limit: number;
  at: number;
}

/** Knocks that a handle received or sent, newest first. */
export async function listKnocks(
  session: Session,
  handle: number,
  query: KnockQuery,
): Promise<StoredKnock[]> {
  const conditions = [`k.${query.direction === "received" ? "target" : "sender"} = ?`];
  const params: SqlValue[] = [handle];
  if (query.before !== undefined) {
    conditions.push("k.pk < ?");
    params.push(query.before);
  }
  if (query.status === "pending") {
    conditions.push("k.status = 'pending' AND k.created_at > ?");
    params.push(query.at - KNOCK_LIFETIME);
  } else if (query.status === "expired") {
    // By time, or since one of the handles was retired.
    conditions.push("(k.status = 'expired' OR k.status = 'pending' AND k.created_at <= ?)");
    params.push(query.at - KNOCK_LIFETIME);
  } else if (query.status) {
    conditions.push("k.status = ?");
    params.push(query.status);
  }
  const rows = await session.all<KnockRow>(
    `${KNOCK_SELECT} WHERE ${conditions.join(" AND ")} ORDER BY k.pk DESC LIMIT ?`,
    [...params, query.limit],
  );
  return rows.map((row) => toKnock(row, query.at));
}
